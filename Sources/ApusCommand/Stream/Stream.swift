// SPDX-License-Identifier: MIT

import Bytes
import Flow
import HEVC
import Live
import Media
import RTMP
import Transport

/// `apus stream`: files, a pipe or a stream of another server to RTMP servers.
struct Stream: Verb {
  static let name = "stream"
  static let summary =
    "publish files, a pipe or another server's stream over RTMP, HEVC in either dialect"
  static let discussion = """
    Sends video and sound to an RTMP server as fast as they are played, or live as they come through a pipe \
    (FLV or a bare HEVC stream). HEVC is sent as Enhanced RTMP (hvc1) if the server says that it accepts it. \
    Most servers do not say; then --dialect has to: enhanced for YouTube, SRS, MediaMTX and FFmpeg since 6.1, \
    legacy (codec id 12) for nginx-rtmp and older servers of Chinese platforms. AVC needs no dialect.

    The stream key is the end of the URL, or comes from APUS_STREAM_KEY, from a file, or through standard input; \
    the last three keep it out of the shell's history. It is never shown, not even by ps.

    Every track of video and sound is sent to a server that announces support for several (Enhanced RTMP's \
    multitrack); to others, and in the legacy dialect, the first of each kind, and a warning names what is left \
    out. --audio and --video choose others; if they choose several, all of them are sent, whatever the server announces.

    With --encode video is re-encoded on the way, for example from H.264 to HEVC; sound that not every receiver knows \
    becomes AAC. Only what is sent is encoded.

    If the network is too slow, the pictures that others need least are dropped: RASL and RADL first, then those \
    that no other refers to, then the highest temporal sub-layer, then all up to the next key frame; never \
    sound. A lost connection is re-established after 1, 2, 4 and up to 30 seconds, and the stream continues at a key \
    frame with continuous times; --backup is tried after three failed attempts in a row.

    The first word is the input: a file, a pipe, or rtmp:// for a stream that another server has, which is played \
    and published as it comes. Further files follow the first one; every address after the first word is a target. \
    Times continue from file to file, and parameter sets may change; all video has to be of one codec, unless \
    --encode is given. With --standby FILE that video is played once a pipe or a server has sent nothing for --stall \
    seconds, until the next key frame; a named pipe is then opened again when its writer closes it. A still picture \
    (HEIC, JPEG, PNG) is encoded at the start, in the codec and size of the input, with silence as its sound if that \
    of the input is AAC; if no input has arrived yet, it is HEVC, or what --encode names.

    srt://HOST:PORT is an SRT connection, as input or target, with an MPEG transport stream inside. It may be \
    followed by ?mode=caller or listener, latency= in milliseconds (120), passphrase=, pbkeylen= and streamid=, with \
    & between them. A listener waits for the other side. SRT does not announce an end: as an input it ends when the \
    connection does, or is opened again if there is a --standby. The parameters are hidden like a stream key.

    Several URLs get the same stream, which is read once and paced once. Each has a queue and connections of its \
    own, so that a server that is slow or gone holds up no other; one that is not there yet is waited for. A file or \
    a pipe starts, with one server as with several, once each has accepted the stream or failed; with several, and \
    with a pipe, after three seconds at the latest. --targets names a file with a URL on each line, after which \
    name=NAME, dialect=NAME, queue=TIME, retry=N and backup=URL may follow for that server; # begins a comment. \
    After SIGHUP the file is read again: new targets start at the next key frame, removed ones end in an orderly \
    way, and those that were given up are tried again. The exit status is 1 if any target was given up.
    """
  static let examples = [
    Example(
      "apus stream movie.mp4 rtmp://127.0.0.1/live/key --dialect enhanced",
      "Publishes a file in real time."),
    Example(
      "apus stream loop.mp4 rtmps://a.rtmps.youtube.com/live2 --key-file key.txt --loop "
        + "--dialect enhanced",
      "Publishes a file again and again, without the key on the command line."),
    Example(
      "apus stream intro.mp4 talk.mp4 break.mp4 rtmp://127.0.0.1/live/key --loop --dialect enhanced",
      "Publishes files in turn, again and again."),
    Example(
      "apus stream rtmp://127.0.0.1/studio/key rtmp://127.0.0.2/live/key --standby back-soon.mp4 --dialect enhanced",
      "Passes a stream on, and plays a video while it stalls."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key --standby slate.png --stall 2 --dialect enhanced",
      "Publishes what comes through a named pipe, and shows a picture while nothing arrives."),
    Example(
      "apus stream 'srt://:9000?passphrase=long-enough' rtmp://127.0.0.1/live/key srt://127.0.0.2:9001 --dialect enhanced",
      "Waits for an encoder that sends over SRT, and passes the stream on both ways."),
    Example(
      "apus stream concert.mov rtmp://127.0.0.1/live/key --audio 1 --dialect enhanced",
      "Sends only the second sound track."),
    Example(
      "apus stream camera.mp4 rtmp://127.0.0.1/live/key --encode hevc --bitrate 4M --dialect enhanced",
      "Sends an H.264 file as HEVC, encoded on the way."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key rtmp://127.0.0.2/app/key --dialect enhanced",
      "Publishes what comes through a named pipe to two servers."),
    Example(
      "apus stream loop.mp4 --loop --targets targets.txt",
      "Publishes to the servers that a file lists, which may change meanwhile."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key --dialect enhanced --json",
      "Publishes what comes through a named pipe, live, and prints what happens as JSON."),
  ]

  /// The first word, which is an input whatever it is, and those after it.
  var input = ""
  var words: [String] = []
  var targets: String?
  var backup: String?
  var app: String?
  var key = StreamKeyOptions()
  var speed: StreamSpeed?
  var isUnpaced = false
  var loops = false
  var standby: String?
  var stall: MediaTime?
  var start: MediaTime?
  var frameRate: FrameRate?
  var dialect = DialectChoice.auto
  var repeatsConfiguration = false
  var retries: UInt?
  var queue = MediaTime(milliseconds: 3000)
  var reconnects = ReconnectPolicy.sameDomain
  var trust = TrustOptions()
  var video: TrackNumbers?
  var audio: TrackNumbers?
  var encode: CodecList?
  var bitRate: BitRate?
  /// What becomes of the media on the way, for `transcode`.
  var coding: StreamCoding?
  var watch: ListenAddress?
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand(
      "IN", &input, completion: .files,
      """
      MP4, MOV, FLV or bare HEVC; -, rtmp:// or srt:// for live input
      - is standard input, FLV or HEVC as it comes; rtmp:// and srt:// play a stream
      """
    )
    try v.operands(
      "IN… URL", &words, required: false,
      """
      further files, then rtmp://host/app/key or srt://host:port
      The URL names server, app and key; it may be rtmps://, and user:password@ stands before the \
      host if the server asks for it
      """
    )
    try v.option(
      "targets", "FILE", &targets, completion: .files,
      "further servers, one on a line; SIGHUP has the file read again")
    try v.option("backup", "URL", &backup, "where to publish when URL fails three times in a row")
    try v.option("app", "NAME", &app, "which part of the URL's path is the app")
    try v.option(
      "dialect", "NAME", &dialect,
      """
      form of HEVC
      Auto takes enhanced where the server offers it
      """)
    try v.flag(
      "repeat-config", &repeatsConfiguration,
      """
      send the codec configuration before each key frame
      Some servers do not keep it
      """)
    try v.group(&key)
    v.heading = "Time"
    try v.option(
      "speed", "X", &speed, "playback speed, 1 = real time; also paces input from a pipe")
    try v.flag("no-pace", &isUnpaced, "as fast as the server takes it, leaving nothing out")
    try v.flag("loop", &loops, "again and again, all files in turn, with times that go on")
    try v.option("start", "TIME", &start, "start at the last key frame before TIME, such as 1:30")
    try v.option(
      "fps", "RATE", &frameRate, "frames a second of a bare HEVC stream, such as 30000/1001")
    v.heading = "Stand-by"
    try v.option(
      "standby", "FILE", &standby, completion: .files,
      """
      video or picture to show while the input gives nothing
      It is shown until the next key frame of a pipe or connection
      """
    )
    try v.option(
      "stall", "TIME", &stall,
      "how long an input may give nothing before --standby takes over (5)")
    v.heading = "Tracks"
    try v.option(
      "video", "N", &video, "the tracks of video that are sent, such as 1 or 0,1, counted from 0")
    try v.option(
      "audio", "N", &audio, "the tracks of sound that are sent, such as 1 or 0,2, counted from 0")
    v.heading = "Coding"
    try v.option(
      "encode", "CODEC", &encode,
      """
      re-encode video as hevc or h264
      apus transcode to a URL has all settings
      """)
    try v.option("bitrate", "RATE", &bitRate, "bit rate for --encode, in bit/s, such as 6M")
    v.heading = "Network"
    try v.option(
      "retry", "N", &retries,
      """
      retry N times in a row after a failure; default 10
      If it is given, a server that cannot be reached yet is waited for
      """
    )
    try v.option("queue", "TIME", &queue, "how much may wait before pictures are left out")
    try v.option(
      "follow", "WHERE", &reconnects,
      """
      redirects to follow
      The stream key is sent along
      """)
    try v.group(&trust)
    v.heading = "Report"
    try v.option(
      "watch", "HOST:PORT", &watch,
      "serve a status page, /metrics, /streams and /health")
    try v.flag("json", &json, "print events as JSON, one on a line")
    try v.group(&limits)
  }

  /// The tracks that are wanted.
  var selection: TrackSelection {
    var selection = TrackSelection()
    selection.choices = (video?.choices(.video) ?? []) + (audio?.choices(.audio) ?? [])
    selection.untouched = Set(
      [video == nil ? .video : nil, audio == nil ? .audio : nil].compactMap(\.self))
    return selection
  }

  /// Whether several tracks of a kind were asked for by their numbers.
  var hasChosenSeveral: Bool {
    [video, audio].contains { $0.map { $0.numbers?.count != 1 } ?? false }
  }

  /// What is read: the first word, and the files after it.
  var inputs: [String] { [input] + words.filter { !Self.isAddress($0) } }
  /// Where it is published.
  var urls: [String] { words.filter(Self.isAddress) }

  private static func isAddress(_ word: String) -> Bool {
    word.utf8.firstOccurrence(of: "://".utf8) != nil
  }

  /// Throws where a file comes after the targets.
  private func checkOrder() throws(UsageError) {
    let firstURL = words.firstIndex(where: Self.isAddress) ?? words.count
    if let late = words[firstURL...].first(where: { !Self.isAddress($0) }) {
      throw UsageError("the inputs come first, then the addresses: \(late) follows an address")
    }
    guard !urls.isEmpty || targets != nil else {
      throw UsageError(
        "URL is missing: the first word is the input, and an rtmp:// address must follow it")
    }
  }

  /// What becomes of the media on the way.
  private func chosenCoding() throws(UsageError) -> StreamCoding? {
    guard let encode else {
      guard bitRate == nil else { throw UsageError("--bitrate needs --encode") }
      return coding
    }
    return StreamCoding(encode.codecs, bitRate: bitRate?.value)
  }

  /// Whether video or sound is coded on the way.
  var isCoding: Bool { encode != nil || coding != nil }

  func run(_ console: Console) throws -> ExitStatus {
    let coding = try chosenCoding()
    guard !(input == "-" && key.file == "-") else {
      throw UsageError("standard input cannot give both the stream and its key")
    }
    guard speed == nil || !isUnpaced else {
      throw UsageError("--speed and --no-pace contradict each other")
    }
    try checkOrder()
    guard standby != nil || stall == nil else { throw UsageError("--stall needs --standby") }
    let hasSRT = urls.contains(where: \.isSRTAddress)
    guard !hasSRT || !isUnpaced else {
      throw UsageError(
        "SRT sends what is played now, and leaves out what comes too late: no --no-pace")
    }
    let isOne = urls.count == 1 && targets == nil && !hasSRT
    guard isOne || backup == nil else {
      throw UsageError("--backup goes with one rtmp:// URL; a line of --targets has backup=URL")
    }
    guard isOne || key.file == nil else {
      throw UsageError("--key-file goes with one rtmp:// URL; each of several names its own key")
    }
    guard isOne || !isUnpaced else {
      throw UsageError(
        "--no-pace leaves nothing out, so that the slowest of several servers would hold up the others"
      )
    }
    var link = ClientOptions()
    if isOne {
      let addresses = try key.addresses([urls[0], backup].compactMap(\.self), app: app)
      link.trust = try trust.trust(console)
      return try StreamJob(self, coding, link, console).run(to: addresses)
    }
    guard Set(urls).count == urls.count else { throw UsageError("one of the URLs is named twice") }
    let named = try urls.map { try StreamTarget(url: $0, words: [$0], key, app: app) }
    link.trust = try trust.trust(console)
    return try BroadcastJob(self, coding, named, link, console).run()
  }
}
