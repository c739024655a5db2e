// SPDX-License-Identifier: MIT

public import FLV

/// The results of examining a server.
public struct ExaminationReport: Sendable {
  /// The properties of the server; `nil` if it did not answer.
  public var server: ServerProfile?
  /// The trials in the order in which they were made; if the server does not answer one, no further trial is made.
  public var trials: [TrialReport]

  /// The dialect to publish in; `nil` where neither is known to get through.
  public var recommended: HEVCDialect? {
    let arrived = trials.filter { $0.verdict == .arrived }
    return arrived.first { $0.dialect == .enhanced }?.dialect ?? arrived.first?.dialect
  }
}
