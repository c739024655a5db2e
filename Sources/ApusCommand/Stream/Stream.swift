// SPDX-License-Identifier: MIT

import ApusBytes
import ApusLive
import ApusMedia
import ApusSamples
import ApusTransport
import HEVC
import RTMP

/// `apus stream`: files, a pipe or a stream of another server to RTMP servers.
struct Stream: Verb {
  static let name = "stream"
  static let summary =
    "publish files, a pipe or another server's stream over RTMP or SRT"
  static let discussion = """
    Sends video and audio to RTMP servers in real time. The input is one or more files, a pipe (FLV, MPEG-TS, Matroska \
    or bare HEVC), a stream that another server sends (rtmp:// or srt://), or a camera (rtsp://). HEVC is sent as Enhanced RTMP (hvc1) if the server announces \
    support for it. Most servers announce nothing; then set --dialect: enhanced for YouTube, SRS, MediaMTX and FFmpeg \
    6.1 or later, legacy (codec id 12) for nginx-rtmp and older servers of Chinese platforms. H.264 needs no dialect.

    The stream key is the last part of the URL, or comes from APUS_STREAM_KEY, a file or standard input; the last three \
    keep it out of the shell's history. Apus never prints the key and hides it from ps.

    A server that announces support for several tracks (Enhanced RTMP's multitrack) gets all video and audio tracks. \
    Other servers, and any server in the legacy dialect, get the first track of each kind, and a warning names the \
    tracks left out. --audio and --video choose tracks; if they choose several of a kind, all of them are sent, whatever \
    the server announces.

    --encode re-encodes the video, for example from H.264 to HEVC, and converts audio to AAC unless every receiver \
    supports its codec. Only tracks that are sent are encoded.

    If the network is too slow, Apus drops the least important pictures first: RASL and RADL pictures, then pictures \
    that no other picture refers to, then the highest temporal sub-layer, then all pictures up to the next key frame. \
    Audio is never dropped. If the connection is lost, Apus reconnects after 1, 2, 4 and up to 30 seconds and continues \
    at a key frame with continuous timestamps. After three failed attempts in a row it tries --backup.

    The first operand is always an input; an rtmp:// URL there is played, and published as it arrives. Further files \
    follow the first one. Every URL after the first operand is a target. Timestamps continue from file to file, and \
    parameter sets may change, but all video must use the same codec unless --encode is given.

    With --standby FILE, Apus sends that video if a pipe or a server sends nothing for --stall seconds, until the next \
    key frame arrives; a named pipe is reopened when its writer closes it. FILE may also be a still picture (HEIC, JPEG, \
    PNG). It is encoded at the start, in the codec and size of the input, with silence as its audio if the input has \
    AAC; if no input has arrived yet, it is encoded as HEVC or as --encode says.

    srt://HOST:PORT is an SRT connection that carries an MPEG transport stream, as input or target. Options may follow \
    as ?mode=caller or listener, latency= in milliseconds (default 120), passphrase=, pbkeylen= and streamid=, separated \
    by &. A listener waits for the other side to connect. SRT does not signal the end of a stream: an SRT input ends \
    with its connection, or is reopened if --standby is given. These options are hidden like a stream key.

    rtsp:// is a camera or server, read over TCP; rtsps:// needs --insecure, because libavformat cannot check its \
    certificate. udp:// and rtp:// listen at a port or a multicast group, http:// and https:// read FLV, MPEG-TS, \
    Matroska and HLS, also live. User and password are in the address, in --login-file or in APUS_LOGIN; Apus hides them like a stream key. \
    A camera that sends nothing for 15 seconds, or ends, is connected to again, as often as --retry says.

    Several targets get the same stream, which is read once. Each target has its own queue and connections, so a slow or \
    failed server does not delay the others; a server that is not running yet is waited for. A file or a pipe starts \
    once every server has accepted the stream or failed; with several servers, or with a pipe, after three seconds at \
    the latest. --targets names a file with one URL per line, each optionally followed by name=NAME, dialect=NAME, \
    queue=TIME, retry=N and backup=URL; # starts a comment. After SIGHUP the file is read again: new targets start at \
    the next key frame, removed targets are closed properly, and targets that Apus gave up on are tried again. The exit \
    status is 1 if Apus gave up on any target.
    """
  static let examples = [
    Example(
      "apus stream movie.mp4 rtmp://127.0.0.1/live/key --dialect enhanced",
      "Publishes a file in real time."),
    Example(
      "apus stream loop.mp4 rtmps://a.rtmps.youtube.com/live2 --key-file key.txt --loop "
        + "--dialect enhanced",
      "Publishes a file in a loop, with the key read from a file."),
    Example(
      "apus stream intro.mp4 talk.mp4 break.mp4 rtmp://127.0.0.1/live/key --loop --dialect enhanced",
      "Publishes three files in a loop."),
    Example(
      "apus stream rtmp://127.0.0.1/studio/key rtmp://127.0.0.2/live/key --standby back-soon.mp4 --dialect enhanced",
      "Relays a stream, and plays a video while it stalls."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key --standby slate.png --stall 2 --dialect enhanced",
      "Publishes from a named pipe, and shows a picture while nothing arrives."),
    Example(
      "apus stream 'srt://:9000?passphrase=long-enough' rtmp://127.0.0.1/live/key srt://127.0.0.2:9001 --dialect enhanced",
      "Waits for an encoder to connect over SRT, and relays its stream over RTMP and SRT."),
    Example(
      "apus stream rtsp://camera.local/stream1 rtmp://127.0.0.1/live/key --login-file login.txt --dialect enhanced",
      "Publishes a camera."),
    Example(
      "apus stream concert.mov rtmp://127.0.0.1/live/key --audio 1 --dialect enhanced",
      "Sends only the second audio track."),
    Example(
      "apus stream camera.mp4 rtmp://127.0.0.1/live/key --encode hevc --bitrate 4M --dialect enhanced",
      "Re-encodes an H.264 file and publishes it as HEVC."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key rtmp://127.0.0.2/app/key --dialect enhanced",
      "Publishes from a named pipe to two servers."),
    Example(
      "apus stream loop.mp4 --loop --targets targets.txt",
      "Publishes to the servers listed in a file, which may change while Apus runs."),
    Example(
      "apus stream camera.fifo rtmp://127.0.0.1/live/key --dialect enhanced --json",
      "Publishes from a named pipe, and prints events as JSON."),
  ]

  /// The first operand, which is always an input, and the operands after it.
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
  var login = LoginOptions()
  var trust = TrustOptions()
  var video: TrackNumbers?
  var audio: TrackNumbers?
  var encode: CodecList?
  var make = EncoderMake()
  var bitRate: BitRate?
  /// The encoder settings, when `transcode` publishes.
  var coding: StreamCoding?
  var watch: ListenAddress?
  var json = false
  var limits = LimitOptions()

  /// The tracks that are wanted.
  var selection: TrackSelection {
    var selection = TrackSelection()
    selection.choices = (video?.choices(.video) ?? []) + (audio?.choices(.audio) ?? [])
    selection.untouched = Set(
      [video == nil ? .video : nil, audio == nil ? .audio : nil].compactMap(\.self))
    return selection
  }

  /// Whether several tracks of a kind were requested by number.
  var hasChosenSeveral: Bool {
    [video, audio].contains { $0.map { $0.numbers?.count != 1 } ?? false }
  }

  /// The inputs: the first operand and the files after it.
  var inputs: [String] { [input] + words.filter { !Self.isAddress($0) } }
  /// The targets.
  var urls: [String] { words.filter(Self.isAddress) }

  private static func isAddress(_ word: String) -> Bool {
    word.utf8.firstOccurrence(of: "://".utf8) != nil
  }

  /// Throws if a file follows the targets, or if there is no target.
  private func checkOrder() throws(UsageError) {
    let firstURL = words.firstIndex(where: Self.isAddress) ?? words.count
    if let late = words[firstURL...].first(where: { !Self.isAddress($0) }) {
      throw UsageError("inputs must come before URLs: \(late) follows a URL")
    }
    guard !urls.isEmpty || targets != nil else {
      throw UsageError(
        "URL is missing: give an input, then an rtmp:// or srt:// URL")
    }
  }

  /// Returns the encoder settings, or `nil` if nothing is re-encoded.
  private func chosenCoding() -> StreamCoding? {
    guard let encode else { return coding }
    return StreamCoding(encode.codecs, bitRate: bitRate?.value, make)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let coding = chosenCoding()
    guard !(input == "-" && key.file == "-") else {
      throw UsageError("standard input cannot be both the stream and its key")
    }
    try checkOrder()
    if let status = EncoderMake.status(coding?.settings, console) { return status }
    let hasSRT = urls.contains(where: \.isSRTAddress)
    guard !hasSRT || !isUnpaced else {
      throw UsageError(
        "--no-pace is not for SRT, which sends in real time and drops late data")
    }
    let isOne = urls.count == 1 && targets == nil && !hasSRT
    guard isOne || backup == nil else {
      throw UsageError("--backup needs exactly one rtmp:// URL; use backup=URL in a --targets file")
    }
    guard isOne || key.file == nil else {
      throw UsageError(
        "--key-file needs exactly one rtmp:// URL; with several, put each key in its URL")
    }
    guard isOne || !isUnpaced else {
      throw UsageError(
        "--no-pace needs exactly one URL: with several, the slowest server would delay the others"
      )
    }
    guard Set(urls).count == urls.count else { throw UsageError("the same URL is given twice") }
    let named =
      isOne
      ? [StreamTarget(try key.addresses(urls + [backup].compactMap(\.self), app: app), words: urls)]
      : try urls.map { try StreamTarget(url: $0, words: [$0], key, app: app) }
    var link = ClientOptions()
    link.trust = try trust.trust(console)
    return try StreamJob(self, coding, named, isSingle: isOne, link, console).run()
  }
}
