// SPDX-License-Identifier: MIT

public import FLV

/// What became of two seconds that were published in one dialect.
public struct TrialReport: Sendable {
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Players get the pictures as they were published.
    case arrived
    /// Players get pictures, and not those that were published.
    case changed
    /// The server took everything without an error, and players get the sound alone.
    case dropped
    /// The server took everything without an error; what becomes of it cannot be seen.
    case unseen
    /// The server closed the connection while pictures came.
    case closed
    /// The server did not take the stream.
    case refused
    /// It did not come to it: no connection, no answer, no time.
    case failed
  }

  public var dialect: HEVCDialect
  public var verdict: Verdict
  /// Pictures that were sent.
  public var pictures: Int
  public var sounds: Int
  public var arrivals: Arrivals
  /// Why, in the server's words or ours; `nil` where there is nothing to say.
  public var reason: String?

  /// Whether a stream in this dialect gets through, as far as that could be seen.
  public var isUsable: Bool { verdict == .arrived || verdict == .unseen || verdict == .changed }
}
