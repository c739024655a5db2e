// SPDX-License-Identifier: MIT

public import FLV

/// The results of publishing two seconds in one dialect.
public struct TrialReport: Sendable {
  /// The outcome of a trial, from the view of a player.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Players get the pictures as they were published.
    case arrived
    /// Players get pictures, but not those that were published.
    case changed
    /// The server accepted everything without an error, but players get only the sound.
    case dropped
    /// The server accepted everything without an error; what it does with it cannot be seen.
    case unseen
    /// The server closed the connection while pictures were being sent.
    case closed
    /// The server refused the stream.
    case refused
    /// The trial could not be carried out: no connection, no answer, no time.
    case failed
  }

  /// The dialect that was published.
  public var dialect: HEVCDialect
  /// The outcome.
  public var verdict: Verdict
  /// The number of pictures that were sent.
  public var pictures: Int
  /// The number of frames of sound that were sent.
  public var sounds: Int
  /// The packets that a player of the stream received; empty if none could play it.
  public var arrivals: Arrivals
  /// The reason for the verdict, in the server's words or ours; `nil` where there is none.
  public var reason: String?

  /// Whether a stream in this dialect gets through, as far as the trial shows.
  public var isUsable: Bool { verdict == .arrived || verdict == .unseen || verdict == .changed }
}
