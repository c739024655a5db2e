// SPDX-License-Identifier: MIT

/// The rules for splitting a recording into files, and for keeping finished ones.
public struct RecordingParts: Hashable, Sendable {
  /// A part ends before the first key frame after so much of the stream, in milliseconds, or after so many bytes.
  public var duration: Int64?
  public var bytes: Int?
  /// How many finished parts of each stream stay.
  public var keptParts: Int?
  /// How many bytes they have together at most.
  public var keptBytes: Int?
  /// How many nanoseconds they stay.
  public var keptTime: Int64?

  public init() {}

  /// Whether a recording has parts at all.
  public var areWanted: Bool { duration != nil || bytes != nil }

  func isDue(_ duration: Int64, _ bytes: Int) -> Bool {
    // Each end was rounded to a millisecond.
    self.duration.map { duration + 1 >= $0 } ?? false || self.bytes.map { bytes >= $0 } ?? false
  }
}
