// SPDX-License-Identifier: MIT

/// The rules for splitting a recording into files, and for keeping finished ones.
public struct RecordingParts: Hashable, Sendable {
  /// The duration, or the number of bytes, after which a part ends before the next key frame.
  public var duration: Duration?
  /// The size in bytes after which a part ends before the next key frame; `nil` for no limit.
  public var bytes: Int?
  /// The number of finished parts of each stream that are kept.
  public var keptParts: Int?
  /// The most bytes in all parts that are kept.
  public var keptBytes: Int?
  /// The time for which parts are kept.
  public var keptTime: Duration?

  /// Creates rules for recordings that are not split and never removed.
  public init() {}

  /// Whether a recording has parts at all.
  public var areWanted: Bool { duration != nil || bytes != nil }

  /// - Parameter duration: the duration of the part in milliseconds.
  func isDue(_ duration: Int64, _ bytes: Int) -> Bool {
    // Each end was rounded to a millisecond.
    self.duration.map { .milliseconds(duration + 1) >= $0 } ?? false
      || self.bytes.map { bytes >= $0 } ?? false
  }
}
