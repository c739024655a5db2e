// SPDX-License-Identifier: MIT

import Files
import Flow
import Live
import Media
import RTMP
import Transport

/// `apus receive`: streams from RTMP publishers into files.
struct Receive: Verb {
  static let name = "receive"
  static let summary = "record what is published over RTMP, HEVC in either dialect"
  static let discussion = """
    Waits at the URL for publishers and records what they send: as FLV, tag by tag as it comes, as MP4, or as a \
    bare HEVC stream. A recording can be played at any moment, also when this command or the publisher is killed; \
    when a stream is over its file is finished: FLV gets its length and an index of key frames, MP4, written in \
    fragments until then, becomes a plain file. Of a recording that was cut off apus remux --recover makes one. With \
    --on-exists replace the file that is there stays until something of the stream is in the new one.

    The URL says where to wait, and 127.0.0.1 keeps others out; at port 0 the system chooses one that is free, \
    and the first line says which. With a key in the URL, in APUS_STREAM_KEY or in a \
    file, only clients that know it may publish or play; without one any key will do, OUT has to be a folder, and each \
    stream gets a file that is called like its key. A player gets a stream from the next key frame on.

    In OUT the words {key}, {date}, {time} and {n} stand for the name of the stream, the day and the time of day at \
    which a file begins, and its number. --segment-time and --segment-size cut a recording into parts: the next one \
    begins at the first key frame after that, with all that players need, and its times count from 0; no picture is \
    lost or doubled between two of them, and apus remux PART PART -o FILE joins them again. --keep, --keep-size and \
    --keep-time remove the oldest finished parts of this run. --on-part runs a program, without a shell, with the \
    path of each file that is finished and the name of its stream.

    --forward passes every stream on to another server while it comes, as it is; {key} in the URL stands for the \
    name of the stream, and after the URL dialect=NAME, queue=TIME, retry=N, backup=URL and name=NAME may follow, \
    in quotation marks as one word. It may be given several times, and srt:// sends an MPEG transport stream; \
    streamid={key} names the stream there. Each server has a queue and connections of its own: one that is slow gets \
    fewer pictures, one that is gone is tried again as long as the stream lasts, and neither disturbs the recording.

    --hls writes a presentation for HTTP Live Streaming of each stream while it comes, DIR/NAME/index.m3u8, which \
    any web server can serve: CMAF segments of every track, of which the playlists name those of the last \
    --hls-window, and a playlist of key frames for winding. A publisher that is back within a minute goes on in it \
    after a discontinuity, also when the command was started again or killed meanwhile. --hls-part publishes \
    segments in parts before they are whole, for players with low latency. --hls-listen serves DIR over HTTP, and \
    holds requests for what comes next until it is there, which such players ask for. With --keys the first folder \
    of an address there is the key for players, or the name of a stream with play=*; hooks are not asked. Without \
    --hls-listen the playlists promise no more than a server of plain files can do. Ctrl-C and SIGTERM end the \
    presentations; with --hls-open SIGTERM does not, so that players wait for the command to be started again.

    --watch opens a port for those who watch: a page with a graph of each stream, /metrics for Prometheus, /streams as \
    JSON, and /health, which answers 200 as long as streams are taken. It has no keys; 127.0.0.1 keeps others out.

    --keys names a file of streams, one on a line: NAME publish=KEY play=KEY. A client with the first key may \
    publish the stream, and one with the second may play it; play=* lets anyone play it by its name, and without play= \
    nobody may. --on-publish and --on-play ask another program: an HTTP server, over TLS where its address is \
    https://, gets the form that nginx-rtmp posts (call, addr, clientid, app, name, flashver, and the query of the \
    URL), allows with a status of 200 to 299, and renames the stream with 300 to 399 and a name as the location; a \
    program, run without a shell, gets publish or play, the name of the stream and the client's address, with the \
    key in APUS_KEY and the query in APUS_QUERY, and allows by ending with 0. What does not answer within ten \
    seconds denies. --on-publish-done and --on-play-done are called in the same way when a client is done, whatever \
    ended it, as publish_done and play_done; their answer changes nothing. A stream has one publisher: a second one \
    is refused, or takes over with --take-over.

    Before a publisher is granted its stream, nothing but commands is taken from it, and a client that asks for none \
    gives way to new ones.

    Ctrl-C ends the streams, finishes their files, and ends the command; so does SIGTERM, after which the exit status \
    is 0 unless something failed.
    """
  static let examples = [
    Example(
      "apus receive rtmp://127.0.0.1/live/key -o out.mp4 --once", "Records one stream."),
    Example(
      "apus receive rtmp://0.0.0.0/live -o recordings/ --key-file key.txt",
      "Takes streams from everywhere, of those who know the key."),
    Example(
      "apus receive rtmps://0.0.0.0:443/live -o recordings/ --tls-cert chain.pem --tls-key key.pem",
      "Takes streams over TLS."),
    Example(
      "apus receive rtmp://127.0.0.1/live/key -o 'days/{date}/{time}.mp4' --segment-time 1:00:00 --keep 168",
      "Records in hours, of which those of a week stay."),
    Example(
      "apus receive rtmp://0.0.0.0/live/key -o shows/ --hls web/ --hls-part 0.33 --hls-listen 127.0.0.1:8080",
      "Presents a stream with low latency."),
    Example(
      "apus receive rtmp://0.0.0.0/live/key -o shows/ --forward rtmp://127.0.0.1/app/key",
      "Records a stream, and passes it on to another server."),
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
    try v.operand("URL", &url, "rtmp[s]://host[:port]/app[/key]")
    try v.option(
      "output", short: "o", "OUT", &output, completion: .files,
      "the file; a folder, with / at its end, gets one for each stream")
    try v.option("format", "FORMAT", &target, "output format; otherwise from OUT")
    try v.option("on-exists", "WHAT", &onExists, "if the file exists")
    try v.flag("once", &once, "end after the first stream")
    try v.option("app", "NAME", &app, "which part of the URL's path is the app")
    try v.option(
      "forward", "URL", &forwards,
      "pass streams on to this server while they come: rtmp[s]:// or srt://")
    try v.group(&parts)
    try v.group(&live)
    try v.group(&key)
    try v.group(&access)
    v.heading = "Network"
    try v.option("max-connections", "N", &maxConnections, "how many clients may be connected")
    try v.option(
      "max-memory", "MIB", &maxMemory,
      "memory for undelivered messages of all clients, in MiB")
    try v.option(
      "tls-cert", "FILE", &certificate, completion: .files, "the certificate with its chain (PEM)")
    try v.option("tls-key", "FILE", &privateKey, completion: .files, "the certificate's key (PEM)")
    v.heading = "Report"
    try v.option(
      "watch", "HOST:PORT", &watch,
      "serve a status page, /metrics, /streams and /health")
    try v.flag("json", &json, "print events as JSON, one on a line")
  }

  func run(_ console: Console) throws -> ExitStatus {
    let address = try key.address(url, app: app)
    guard (certificate == nil) == (privateKey == nil) else {
      throw UsageError("--tls-cert and --tls-key go together")
    }
    guard (address.scheme == .rtmps) == (certificate != nil) else {
      throw UsageError(
        certificate == nil
          ? "rtmps:// needs --tls-cert and --tls-key" : "with --tls-cert the URL is rtmps://")
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
      console.warn("there is no key, so anyone who can reach \(address.host) can publish")
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
      throw UsageError("--max-memory is 1 to 1048576, not \(maxMemory)")
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
    guard let output, !output.isEmpty else { throw UsageError("-o says where streams go") }
    guard output != "-" else {
      throw UsageError("a recording is a file; standard output is not one")
    }
    if output.endsWithSlash || FileWalk.isFolder(output) { return .folder(output) }
    guard !address.key.isEmpty || RecordingName(output).namesStream else {
      throw UsageError(
        "without a key many streams can come, and OUT has to be a folder or to name them by {key}")
    }
    return .file(output)
  }

  private func keyring(_ address: Address) throws -> StreamKeyring? {
    guard let keys = access.keys else { return nil }
    guard address.key.isEmpty else {
      throw UsageError("with --keys the URL ends with the app, and --key-file is not there")
    }
    return StreamKeyring(try KeyringFile(path: keys).entries())
  }

  /// The servers that streams are passed on to.
  private func forwardTargets(_ address: Address) throws -> [StreamTarget] {
    let targets = try forwards.map { try StreamTarget(line: $0, StreamKeyOptions(), app: nil) }
    // Where there is no SRT that is said at the start.
    for address in targets.compactMap(\.srt) { _ = try SRTSink(address) }
    guard !address.key.isEmpty || targets.allSatisfy(\.namesStream) else {
      throw UsageError(
        "without a key many streams can come, and --forward has to name them by {key}, which is in the "
          + "streamid of an srt:// address"
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
    let ending = output?.split(separator: "/").last?.split(separator: ".").last.map(String.init)
    let target = target?.target ?? ending.flatMap { RemuxTarget(pathExtension: $0) }
    switch target {
    case nil: return .flv
    case .fmp4, .mp4: return .mp4
    case .hls:
      throw UsageError("a recording is one file, hls is many; apus remux makes it of the recording")
    case .mkv, .webm, .ts:
      throw UsageError(
        "a recording is flv, mp4, mov or a bare stream; apus remux makes \(ending ?? "it") of it")
    case let target?: return target
    }
  }
}

extension Address {
  /// Whether only this machine reaches it.
  var isLoopback: Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
