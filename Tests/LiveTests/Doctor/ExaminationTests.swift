// SPDX-License-Identifier: MIT

import ApusTransport
import FLV
import RTMP
import Testing

@testable import ApusLive

struct HabitRow: Sendable, CustomTestStringConvertible {
  var habit: FakeServer.Habit
  var enhanced: TrialReport.Verdict
  var legacy: TrialReport.Verdict
  var recommended: HEVCDialect?
  /// A part of the first reason.
  var reason = ""
  var testDescription: String { habit.rawValue }
}

@Suite struct ExaminationTests {
  private func examine(port: UInt16, on loop: EventLoop) throws -> ExaminationReport {
    let address = try Address("rtmp://127.0.0.1:\(port)/live/hidden")
    let examination = Examination(of: address, ClientOptions(), speed: 5, on: loop)
    var report: ExaminationReport?
    examination.onEnd = {
      report = $0
      loop.stop()
    }
    examination.start()
    loop.run()
    return try #require(report)
  }

  static let rows = [
    HabitRow(habit: .relays, enhanced: .arrived, legacy: .arrived, recommended: .enhanced),
    HabitRow(habit: .dropsEnhanced, enhanced: .dropped, legacy: .arrived, recommended: .legacy),
    HabitRow(habit: .dropsVideo, enhanced: .dropped, legacy: .dropped),
    HabitRow(habit: .changes, enhanced: .changed, legacy: .changed),
    HabitRow(
      habit: .givesNothing, enhanced: .unseen, legacy: .unseen, reason: "sends nothing to players"),
    HabitRow(habit: .refusesPlayers, enhanced: .unseen, legacy: .unseen, reason: "not here"),
    HabitRow(habit: .refusesPublishers, enhanced: .refused, legacy: .refused, reason: "Denied"),
    HabitRow(habit: .closes, enhanced: .closed, legacy: .closed, reason: "closed"),
    HabitRow(habit: .isSilent, enhanced: .failed, legacy: .failed, reason: "within 1 s"),
  ]

  @Test(arguments: rows)
  func `it finds out what becomes of either dialect`(row: HabitRow) throws {
    let loop = try EventLoop()
    let server = try FakeServer(row.habit, on: loop)
    let report = try examine(port: server.port, on: loop)
    #expect(report.trials.map(\.dialect) == [.enhanced, .legacy])
    #expect(report.trials.map(\.verdict) == [row.enhanced, row.legacy])
    #expect(report.recommended == row.recommended)
    let reason = report.trials.first?.reason ?? ""
    #expect(reason.contains(row.reason))
    let facts = try #require(report.server)
    #expect(facts.capabilities?.takesVideo("hvc1") == true)
    #expect(facts.software == ["FMS/3,0,1,123"])
  }

  @Test func `it says so where nobody listens`() throws {
    let loop = try EventLoop()
    // The port was free a moment ago.
    let port = try Listener(host: "127.0.0.1", port: 0, ServerConfiguration(), on: loop) { _, _ in }
      .port
    let report = try examine(port: port, on: loop)
    #expect(report.server == nil)
    #expect(report.trials.map(\.verdict) == [.failed])
  }
}
