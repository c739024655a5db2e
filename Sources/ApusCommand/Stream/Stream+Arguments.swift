// SPDX-License-Identifier: MIT

extension Stream {
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try addressArguments(&v)
    try dialectArguments(&v)
    try v.group(&key)
    try timeArguments(&v)
    try standbyArguments(&v)
    try trackArguments(&v)
    try networkArguments(&v)
    try v.group(&login)
    try v.group(&trust)
    try reportArguments(&v)
    try v.group(&limits)
  }

  /// Declares the inputs and the servers.
  private mutating func addressArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand(
      "IN", &input, completion: .files,
      """
      MP4, MOV, FLV or bare HEVC; - or an address for live input
      - reads FLV or HEVC from standard input; rtmp://, srt:// and rtsp:// play a stream
      """
    )
    try v.operands(
      "IN… URL", &words, required: false,
      """
      further files, then rtmp://host/app/key or srt://host:port
      rtmps:// encrypts the connection; user:password@ before the host logs in
      """
    )
    try v.option(
      "targets", "FILE", &targets, completion: .files,
      "file with one server per line; SIGHUP reads it again")
    try v.option("backup", "URL", &backup, "server to use when URL fails three times in a row")
    try v.option("app", "NAME", &app, "part of the URL's path that is the app; the rest is the key")
  }

  /// Declares the options for the form in which servers get the codecs.
  private mutating func dialectArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "dialect", "NAME", &dialect,
      """
      HEVC dialect
      Auto uses enhanced if the server announces support for it
      """)
    try v.flag(
      "repeat-config", &repeatsConfiguration,
      """
      send the codec configuration before each key frame
      Some servers need this for viewers that join later
      """)
  }

  private mutating func timeArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Time"
    try v.option(
      "speed", "X", &speed, excludes: ["no-pace"],
      "playback speed, 1 = real time; also paces input from a pipe")
    try v.flag("no-pace", &isUnpaced, "send as fast as the server accepts data, and drop nothing")
    try v.flag("loop", &loops, "repeat all inputs endlessly, with continuous timestamps")
    try v.option("start", "TIME", &start, "start at the last key frame before TIME, such as 1:30")
    try v.option(
      "fps", "RATE", &frameRate, "frame rate of a bare HEVC stream, such as 30000/1001")
  }

  private mutating func standbyArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Stand-by"
    try v.option(
      "standby", "FILE", &standby, completion: .files,
      """
      video or picture to send while the input sends nothing
      It is sent until the next key frame arrives from the pipe or server
      """
    )
    try v.option(
      "stall", "TIME", &stall, needs: "standby",
      "start --standby after this long without input (default 5)")
  }

  /// Declares the options for the choice of tracks and for encoding them.
  private mutating func trackArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Tracks"
    try v.option(
      "video", "N", &video, "video tracks to send, such as 1 or 0,1, counted from 0")
    try v.option(
      "audio", "N", &audio, "audio tracks to send, such as 1 or 0,2, counted from 0")
    v.heading = "Coding"
    try v.option(
      "encode", "CODEC", &encode,
      """
      re-encode video as hevc or h264
      apus transcode can publish too, and has all encoder settings
      """)
    try v.option(
      "bitrate", "RATE", &bitRate, needs: "encode", "bit rate for --encode, in bit/s, such as 6M")
    make.needed = "encode"
    try v.group(&make)
  }

  private mutating func networkArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Network"
    try v.option(
      "retry", "N", &retries,
      """
      retry N times in a row after a failure (default 10)
      If this is given, Apus also waits for a server that is not running yet
      """
    )
    try v.option(
      "queue", "TIME", &queue, "length of the send queue; pictures are dropped beyond it")
    try v.option(
      "follow", "WHERE", &reconnects,
      """
      redirects to follow
      The stream key is sent to the new server
      """)
  }

  private mutating func reportArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Report"
    try v.option(
      "watch", "HOST:PORT", &watch,
      "serve a status page, /metrics, /streams and /health")
    try v.flag("json", &json, "print events as JSON, one per line")
  }
}
