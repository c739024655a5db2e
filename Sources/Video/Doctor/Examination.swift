// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
public import RTMP
public import Transport

/// Finds out what a server is, and what becomes of HEVC that is published to it in either dialect.
///
/// It belongs to its loop's thread.
public final class Examination {
  /// Called once.
  public var onEnd: (ExaminationReport) -> Void = { _ in }

  private let address: Address
  private let options: ClientOptions
  private let loop: EventLoop
  private var report = ExaminationReport(server: nil, trials: [])
  private var waiting: [HEVCDialect] = [.enhanced, .legacy]
  private var trial: DialectTrial?
  private var alarm: TimerID?
  private var isOver = false

  /// For all of it.
  private static let deadline: Int64 = 25_000_000_000
  /// For each stage of a connection.
  private static let stage: Int64 = 5_000_000_000
  /// Until a server has forgotten the stream before.
  private static let pause: Int64 = 500_000_000

  public init(of address: Address, _ options: ClientOptions, on loop: EventLoop) {
    self.address = address
    self.loop = loop
    var options = options
    options.deadlines.resolve = Self.stage
    options.deadlines.connect = Self.stage
    options.deadlines.tls = Self.stage
    options.deadlines.handshake = Self.stage
    options.deadlines.connectCommand = Self.stage
    options.deadlines.createStream = Self.stage
    options.deadlines.request = Self.stage
    self.options = options
  }

  public func start() {
    alarm = loop.after(Self.deadline) { [weak self] in
      self?.stop(because: "it was not done within \(Self.deadline / 1_000_000_000) s")
    }
    beginTrial()
  }

  /// Ends with what is known so far.
  public func stop(because reason: String) {
    waiting = []
    if let trial { trial.stop(because: reason) } else { end() }
  }

  private func beginTrial() {
    guard !isOver else { return }
    guard !waiting.isEmpty else { return end() }
    let dialect = waiting.removeFirst()
    do throws(SyntaxError) {
      let trial = try DialectTrial(dialect, at: address, options, on: loop) { [weak self] in
        self?.take($0)
      }
      self.trial = trial
      trial.start()
    } catch {
      take(
        TrialReport(
          dialect: dialect, verdict: .failed, pictures: 0, sounds: 0, arrivals: Arrivals(),
          reason: "\(error)"))
    }
  }

  private func take(_ outcome: TrialReport) {
    report.trials.append(outcome)
    if let profile = trial?.profile, report.server == nil { report.server = profile }
    trial = nil
    // Where nobody answers, nobody answers the second time.
    if report.server == nil || waiting.isEmpty { return end() }
    loop.after(Self.pause) { [weak self] in self?.beginTrial() }
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    if let alarm { loop.cancel(alarm) }
    onEnd(report)
  }
}
