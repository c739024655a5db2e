// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import ApusMedia
import ApusSamples
import ApusTransport
import RTMP

/// `apus receive`: streams from RTMP publishers into files.
struct Receive: Verb {
  static let name = "receive"
  static let summary = "record and relay RTMP streams, and present them as live HLS"
  static let discussion = """
    Waits for publishers at the URL and records what they send, as FLV, MP4, MOV or a bare HEVC stream. A recording can \
    be played at any time, even if Apus or the publisher is killed. When a stream ends, its file is finished: FLV gets \
    its duration and an index of key frames, and MP4, fragmented until then, becomes a regular file. apus remux \
    --recover repairs a recording that was cut off. With --on-exists replace, the existing file is kept until the new \
    one has data.

    The URL is the address to listen at; 127.0.0.1 accepts local clients only, and port 0 lets the system choose a free \
    port, which the first line of output shows. If a key is given in the URL, in APUS_STREAM_KEY or with --key-file, \
    only clients that know it may publish or play. Without one any key is accepted, OUT must be a folder, and each \
    stream is recorded in a file named after its key. A player gets a stream from the next key frame on.

    In OUT, {key}, {date}, {time} and {n} are replaced with the name of the stream, the day and time at which the file \
    begins, and its number. --segment-time and --segment-size split a recording: the next part begins at the first key \
    frame after that, can be played by itself, and starts at time 0. No picture is lost or repeated between parts, and \
    apus remux PART PART -o FILE joins them. --keep, --keep-size and --keep-time delete the oldest finished parts of \
    this run. --on-part runs a program, without a shell, with the path of each finished file and the name of its stream.

    --forward relays every stream, unchanged, to another server as it arrives, and may be given several times. {key} in \
    the URL is replaced with the name of the stream; dialect=NAME, queue=TIME, retry=N, backup=URL and name=NAME may \
    follow the URL, all in quotation marks as one argument. srt:// sends an MPEG transport stream; use streamid={key} to \
    name the stream there. Each server has its own queue and connections: a slow server gets fewer pictures, a failed \
    one is retried as long as the stream lasts, and neither affects the recording.

    --hls writes a live HLS presentation of each stream to DIR/NAME/index.m3u8, which any web server can serve: CMAF \
    segments of every track, playlists that list the last --hls-window, and a playlist of key frames for fast forward \
    and rewind. A publisher that returns within a minute continues the presentation after a discontinuity, even if Apus \
    was restarted or killed in between. --hls-part publishes parts of segments before they are complete, for low-latency \
    players. --hls-listen serves DIR over HTTP and holds requests for the next segment or part until it exists, which \
    these players need; without it the playlists only announce what a plain web server can do. With --keys, the first \
    folder of an HLS address is the play key, or the name of a stream with play=*; hooks are not called for HLS. Ctrl-C \
    and SIGTERM end the presentations. With --hls-open, SIGTERM leaves them open, so that players wait until Apus is \
    started again.

    --watch serves a status page with a graph of each stream, /metrics for Prometheus, /streams as JSON, and /health, \
    which answers 200 while Apus accepts streams. It has no access control; listen at 127.0.0.1 to keep it local.

    --keys names a file with one stream per line: NAME publish=KEY play=KEY. Clients with the first key may publish the \
    stream, and clients with the second may play it. play=* lets anyone play it by its name; without play= nobody may.

    --on-publish and --on-play call an HTTP server or a program that decides on each client. A server gets the form that \
    nginx-rtmp posts (call, addr, clientid, app, name, flashver, and the query of the URL). A status of 200 to 299 \
    allows the client; 300 to 399 with a name as the location renames the stream. A program is run without a shell; its \
    arguments are publish or play, the name of the stream and the client's address, APUS_KEY and APUS_QUERY hold the key \
    and the query, and exit status 0 allows the client. Any other answer, or none within ten seconds, refuses it. \
    --on-publish-done and --on-play-done are called in the same way, as publish_done and play_done, when a client is \
    done for any reason; their answer is ignored. A stream has one publisher: a second one is refused, or replaces the \
    first with --take-over.

    Until a publisher is granted its stream, Apus accepts only commands from it. If there are too many connections, \
    clients that have not requested a stream are disconnected in favor of new ones.

    Ctrl-C ends the streams, finishes their files and ends the command. SIGTERM does the same, and the exit status is \
    then 0 unless something failed.
    """
  static let examples = [
    Example(
      "apus receive rtmp://127.0.0.1/live/key -o out.mp4 --once", "Records one stream."),
    Example(
      "apus receive rtmp://0.0.0.0/live -o recordings/ --key-file key.txt",
      "Accepts streams from any address, with a key."),
    Example(
      "apus receive rtmps://0.0.0.0:443/live -o recordings/ --tls-cert chain.pem --tls-key key.pem",
      "Accepts streams over TLS."),
    Example(
      "apus receive rtmp://127.0.0.1/live/key -o 'days/{date}/{time}.mp4' --segment-time 1:00:00 --keep 168",
      "Records in parts of one hour, and keeps those of a week."),
    Example(
      "apus receive rtmp://0.0.0.0/live/key -o shows/ --hls web/ --hls-part 0.33 --hls-listen 127.0.0.1:8080",
      "Also presents the stream as low-latency HLS."),
    Example(
      "apus receive rtmp://0.0.0.0/live/key -o shows/ --forward rtmp://127.0.0.1/app/key",
      "Records a stream, and relays it to another server."),
  ]

  var url = ""
  var output: String?
  var onExists = OnExists.rename
  var target: RecordingFormat?
  var once = false
  var parts = PartOptions()
  var app: String?
  var forwards: [String] = []
  var access = AccessOptions()
  var live = LiveHLSOptions()
  var key = StreamKeyOptions()
  var maxConnections: UInt = 1000
  var maxMemory: UInt = 256
  var certificate: String?
  var privateKey: String?
  var watch: ListenAddress?
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("URL", &url, "address to listen at: rtmp[s]://host[:port]/app[/key]")
    try v.option(
      "output", short: "o", "OUT", &output, completion: .files,
      "output file; a folder (ending with /) gets one per stream")
    try v.option("format", "FORMAT", &target, "output format; otherwise from OUT")
    try v.option("on-exists", "WHAT", &onExists, "if the file exists")
    try v.flag("once", &once, "end after the first stream")
    try v.option("app", "NAME", &app, "part of the URL's path that is the app; the rest is the key")
    try v.option(
      "forward", "URL", &forwards,
      "relay streams to this rtmp[s]:// or srt:// server")
    try v.group(&parts)
    try v.group(&live)
    try v.group(&key)
    try v.group(&access)
    v.heading = "Network"
    try v.option("max-connections", "N", &maxConnections, "maximum number of clients")
    try v.option(
      "max-memory", "MIB", &maxMemory,
      "memory for queued messages of all clients, in MiB")
    try v.option(
      "tls-cert", "FILE", &certificate, completion: .files, "certificate with its chain (PEM)")
    try v.option(
      "tls-key", "FILE", &privateKey, completion: .files, "private key of the certificate (PEM)")
    v.heading = "Report"
    try v.option(
      "watch", "HOST:PORT", &watch,
      "serve a status page, /metrics, /streams and /health")
    try v.flag("json", &json, "print events as JSON, one per line")
  }

  func run(_ console: Console) throws -> ExitStatus {
    let address = try key.address(url, app: app)
    guard (certificate == nil) == (privateKey == nil) else {
      throw UsageError("--tls-cert and --tls-key need each other")
    }
    guard (address.scheme == .rtmps) == (certificate != nil) else {
      throw UsageError(
        certificate == nil
          ? "rtmps:// needs --tls-cert and --tls-key" : "--tls-cert needs an rtmps:// URL")
    }
    var options = try IngestOptions(app: address.app, to: place(address), as: format())
    options.admission = try access.admission()
    options.authorize = access.authorize
    options.onDone = access.onDone
    let keyring = try self.keyring(address)
    options.keyring = keyring
    if !address.key.isEmpty {
      options.access = ServerConfiguration.Access(app: address.app, key: address.key)
    } else if !address.isLoopback, keyring == nil, access.onPublish == nil {
      console.warn("no stream key is set, so anyone who can reach \(address.host) can publish")
    }
    options.onExists = onExists
    if case .file(let path) = options.place {
      let inputs = InputFiles()
      for file in [certificate, privateKey, key.file] { if let file { inputs.add(file) } }
      try inputs.refuse(path, onExists: onExists)
      if !RecordingName(path).isTemplate { try OutputFolder.require(for: path) }
    }
    options.once = once
    options.presentations = live.folder
    options.presentation = try live.options()
    options.leavesPresentations = live.open
    let presenter = live.server(keyring)
    if let presenter {
      options.onPlaylist = { presenter.published($1, of: $0) }
    }
    let servers = try forwardTargets(address)
    options.forwards = forwardOptions(servers)
    options.parts = try parts.checked()
    if let program = parts.onPart {
      let program = OtherProgram(path: program)
      options.onFinished = { program.run([$0, $1]) }
    }
    options.listener.maxConnections = Int(clamping: maxConnections)
    guard (1...1 << 20).contains(maxMemory) else {
      throw UsageError("--max-memory must be 1 to 1048576, not \(maxMemory)")
    }
    options.listener.memory = Int(maxMemory) << 20
    if let certificate, let privateKey {
      options.listener.tls = ListenerOptions.TLSFiles(
        certificate: try TrustOptions.checked(certificate, "--tls-cert"),
        key: try TrustOptions.checked(privateKey, "--tls-key"))
    }
    return try ReceiveJob(
      console, isJSON: json, watch: watch, servers: servers, keys: access.keys, presenter: presenter
    ).run(at: address, options)
  }

  private func place(_ address: Address) throws(UsageError) -> IngestOptions.Place {
    guard let output, !output.isEmpty else { throw UsageError("no output: use -o OUT") }
    guard output != "-" else {
      throw UsageError("recordings cannot be written to standard output")
    }
    if output.endsWithSlash || FileWalk.isFolder(output) { return .folder(output) }
    guard !address.key.isEmpty || RecordingName(output).namesStream else {
      throw UsageError(
        "without a stream key, OUT must be a folder or contain {key}")
    }
    return .file(output)
  }

  private func keyring(_ address: Address) throws -> StreamKeyring? {
    guard let keys = access.keys else { return nil }
    guard address.key.isEmpty else {
      throw UsageError(
        "--keys cannot be combined with a stream key (URL, APUS_STREAM_KEY or --key-file)")
    }
    return StreamKeyring(try KeyringFile(path: keys).entries())
  }

  /// Returns the servers to relay streams to.
  private func forwardTargets(_ address: Address) throws -> [StreamTarget] {
    let targets = try forwards.map { try StreamTarget(line: $0, StreamKeyOptions(), app: nil) }
    // Fails at the start if SRT is not available.
    for address in targets.compactMap(\.srt) { _ = try SRTSink(address) }
    guard !address.key.isEmpty || targets.allSatisfy(\.namesStream) else {
      throw UsageError(
        "without a stream key, each --forward URL must contain {key}; in an srt:// URL, in streamid="
      )
    }
    return targets
  }

  private func forwardOptions(_ targets: [StreamTarget]) -> (
    @Sendable (String) -> [ForwardTarget]
  )? {
    guard !targets.isEmpty else { return nil }
    var standard = PublishOptions()
    standard.retries = .max
    return { [standard] name in
      targets.enumerated().map { index, target in
        let options = target.options(standard)
        if let address = target.srt(of: name) {
          return ForwardTarget(id: index + 1, options) { () throws(MediaError) in
            try SRTSink(address)
          }
        }
        return ForwardTarget(
          BroadcastTarget(id: index + 1, target.addresses(of: name), options, ClientOptions()))
      }
    }
  }

  private func format() throws(UsageError) -> RemuxTarget {
    let ending = output?.pathExtension ?? ""
    let target = target?.target ?? RemuxTarget(pathExtension: ending)
    switch target {
    case nil: return .flv
    case .fmp4, .mp4: return .mp4
    case .hls:
      throw UsageError("recordings cannot be hls; use --hls, or apus remux on the recording")
    case .mkv, .webm, .ts:
      throw UsageError(
        "recordings are flv, mp4, mov or hevc; apus remux converts them to \(ending.isEmpty ? "others" : ending)"
      )
    case let target?: return target
    }
  }
}

extension Address {
  /// Whether only local clients can reach it.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
