// SPDX-License-Identifier: MIT

/// The rules for splitting a recording into files, and for keeping finished ones.
public struct RecordingParts: Hashable, Sendable {
  /// The duration in milliseconds, or the number of bytes, after which a part ends before the next key frame.
  public var duration: Int64?
  public var bytes: Int?
  /// The number of finished parts of each stream that are kept.
  public var keptParts: Int?
  /// The most bytes in all parts that are kept.
  public var keptBytes: Int?
  /// The number of nanoseconds for which parts are kept.
  public var keptTime: Int64?

  public init() {}

  /// Whether a recording has parts at all.
  public var areWanted: Bool { duration != nil || bytes != nil }

  func isDue(_ duration: Int64, _ bytes: Int) -> Bool {
    // Each end was rounded to a millisecond.
    self.duration.map { duration + 1 >= $0 } ?? false || self.bytes.map { bytes >= $0 } ?? false
  }
}
