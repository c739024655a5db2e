// SPDX-License-Identifier: MIT

import ApusFiles
import ApusLive
import ApusTransport
import FLV
import RTMP

/// `apus doctor`: tests how an RTMP server handles HEVC, or what a camera sends.
struct Doctor: Verb {
  static let name = "doctor"
  static let summary = "test how an RTMP server handles HEVC, or what a camera sends"
  static let discussion = """
    Connects, and shows what the server is and which capabilities it declares. Then publishes a small \
    two-second HEVC video with silence, first as Enhanced RTMP (hvc1), then in the legacy dialect (codec id \
    12), plays each at the same time if the server allows it, and reports what arrived. Some servers accept \
    HEVC without an error and drop it; this finds out.

    Viewers of the stream see the test, so do not run it while you are live. It takes less than 30 seconds. \
    The exit status is 0 if a dialect gets through, or if one was accepted and the result cannot be observed.

    If URL is an address that apus stream reads, such as rtsp://, Apus watches it for ten seconds, and shows its tracks \
    and whether RTMP can carry them. The exit status is 0 if it can carry the video.
    """
  static let examples = [
    Example("apus doctor rtmp://127.0.0.1/live/key", "Tests both dialects."),
    Example(
      "apus doctor rtsp://camera.local/stream1 --login-file login.txt", "Shows what a camera sends."
    ),
    Example("apus doctor rtmps://live.example.org/app --key-file key.txt --json", "Prints JSON."),
  ]

  var url = ""
  var app: String?
  var key = StreamKeyOptions()
  var login = LoginOptions()
  var trust = TrustOptions()
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("URL", &url, "rtmp://host/app/key, or the address of a camera: rtsp://host/path")
    try v.option("app", "NAME", &app, "app part of the URL's path")
    try v.group(&key)
    try v.group(&login)
    try v.group(&trust)
    v.heading = "Report"
    try v.flag("json", &json, "print the results as JSON")
  }

  func run(_ console: Console) throws -> ExitStatus {
    if let input = try login.input(url, trust.trust(console)) { return try watch(input, console) }
    let addresses = try key.addresses([url], app: app)
    var link = ClientOptions()
    link.trust = try trust.trust(console)
    let loop = try EventLoop()
    let examination = Examination(of: addresses[0], link, on: loop)
    var report: ExaminationReport?
    examination.onEnd = {
      report = $0
      loop.stop()
    }
    Interruption.watch(endsPipes: false) { loop.perform { loop.stop() } }
    examination.start()
    loop.run()
    guard let report else { return Interruption.status }
    if json {
      let answer = DoctorReport(address: addresses[0], report: report)
      ResultStream(console: console).write(json: answer)
    } else {
      for line in DoctorText(Palette(console)).lines(report, of: addresses[0]) {
        try console.print(line)
      }
    }
    try console.output.flush()
    guard report.server != nil else {
      console.fail(report.trials.first?.reason ?? "the server does not answer")
      return .failed
    }
    return report.trials.contains(where: \.isUsable) ? .done : .failed
  }

  /// Watches the address of an input.
  private func watch(_ input: NetworkInput, _ console: Console) throws -> ExitStatus {
    Interruption.watch(endsPipes: false) { input.stop() }
    let report: CameraReport
    do {
      report = try CameraReport(input)
    } catch {
      if Interruption.isReceived { return Interruption.status }
      console.fail("\(input.address)", error)
      return .failed
    }
    if json {
      ResultStream(console: console).write(json: report)
    } else {
      for line in report.lines(Palette(console)) { try console.print(line) }
    }
    try console.output.flush()
    return report.isUsable ? .done : .failed
  }
}
