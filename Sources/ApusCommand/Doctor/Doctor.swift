// SPDX-License-Identifier: MIT

import FLV
import Files
import Live
import RTMP
import Transport

/// `apus doctor`: what a server is, and what becomes of HEVC there.
struct Doctor: Verb {
  static let name = "doctor"
  static let summary = "find out what an RTMP server makes of HEVC, by publishing to it"
  static let discussion = """
    Connects, and says what the server is and what it says it can do. Then publishes two seconds of a small HEVC \
    picture with silence, first as Enhanced RTMP (hvc1), then in the legacy dialect (codec id 12), plays them at \
    the same time where the server lets it, and says what arrived. Some servers take HEVC without an error and \
    drop it; this shows it.

    Everyone who watches the stream sees this too, so do not run it while you are on the air. It takes less than half \
    a minute, whatever the server does. The status is 0 where a dialect gets through, or nothing speaks against it.
    """
  static let examples = [
    Example("apus doctor rtmp://127.0.0.1/live/key", "Tries both dialects."),
    Example("apus doctor rtmps://live.example.org/app --key-file key.txt --json", "Prints JSON."),
  ]

  var url = ""
  var app: String?
  var key = StreamKeyOptions()
  var trust = TrustOptions()
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("URL", &url, "rtmp[s]://[user:password@]host[:port]/app/key")
    try v.option("app", "NAME", &app, "which part of the URL's path is the app")
    try v.group(&key)
    try v.group(&trust)
    v.heading = "Report"
    try v.flag("json", &json, "print what was found as JSON")
  }

  func run(_ console: Console) throws -> ExitStatus {
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
      var writer = JSONWriter(ResultStream(console: console))
      DoctorJSON().write(report, of: addresses[0], to: &writer)
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
}
