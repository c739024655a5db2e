// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusTransport
internal import FLV
package import RTMP

/// Finds out what kind of server it connects to, and what happens to HEVC that is published to it in either dialect.
///
/// Used only on its loop's thread. It is `Sendable` because other threads reach it through `EventLoop.perform`.
package final class Examination: @unchecked Sendable {
  /// The function that is called once, at the end.
  package var onEnd: (ExaminationReport) -> Void = { _ in }

  private let address: Address
  private let options: ClientOptions
  private let loop: EventLoop
  /// The factor by which it runs faster than in real time, for tests.
  private let speed: Int64
  private var report = ExaminationReport(server: nil, trials: [])
  private var waiting: [HEVCDialect] = [.enhanced, .legacy]
  private var trial: DialectTrial?
  private var alarm: TimerID?
  private var isOver = false

  /// The longest duration of the whole examination, in nanoseconds.
  private static let deadline: Int64 = 25_000_000_000
  /// The longest duration of each stage of a connection, in nanoseconds.
  private static let stage: Int64 = 5_000_000_000
  /// The pause after which a server has forgotten the previous stream, in nanoseconds.
  private static let pause: Int64 = 500_000_000

  package convenience init(of address: Address, _ options: ClientOptions, on loop: EventLoop) {
    self.init(of: address, options, speed: 1, on: loop)
  }

  init(of address: Address, _ options: ClientOptions, speed: Int64, on loop: EventLoop) {
    self.address = address
    self.loop = loop
    self.speed = speed
    var options = options
    let stage = Duration.nanoseconds(Self.stage / speed)
    options.deadlines.resolve = stage
    options.deadlines.connect = stage
    options.deadlines.tls = stage
    options.deadlines.handshake = stage
    options.deadlines.connectCommand = stage
    options.deadlines.createStream = stage
    options.deadlines.request = stage
    self.options = options
  }

  package func start() {
    alarm = loop.after(Self.deadline / speed) { [weak self] in
      self?.stop(because: "it did not finish within \(Self.deadline / 1_000_000_000) s")
    }
    beginTrial()
  }

  /// Ends the examination with the results so far.
  package func stop(because reason: String) {
    waiting = []
    if let trial { trial.stop(because: reason) } else { end() }
  }

  private func beginTrial() {
    guard !isOver else { return }
    guard !waiting.isEmpty else { return end() }
    let dialect = waiting.removeFirst()
    do {
      let trial = try DialectTrial(dialect, at: address, options, speed: speed, on: loop) {
        [weak self] in self?.endTrial(with: $0)
      }
      self.trial = trial
      trial.start()
    } catch {
      endTrial(
        with:
          TrialReport(
            dialect: dialect, verdict: .failed, pictures: 0, sounds: 0, arrivals: Arrivals(),
            reason: "\(error)"))
    }
  }

  private func endTrial(with outcome: TrialReport) {
    report.trials.append(outcome)
    if let profile = trial?.profile, report.server == nil { report.server = profile }
    trial = nil
    // A server that did not answer does not answer the second time either.
    if report.server == nil || waiting.isEmpty { return end() }
    loop.after(Self.pause / speed) { [weak self] in self?.beginTrial() }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    if let alarm { loop.cancel(alarm) }
    onEnd(report)
  }
}
