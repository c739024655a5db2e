// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A part of a segment that is written before the segment is complete.
struct SegmentedPart: Hashable, Sendable {
  /// The name of its file, in the folder of its track.
  var name: String
  /// The index of its segment in the stream, from 0.
  var segment: Int
  var duration: RationalTime
  /// Whether a decoder can begin anywhere in it.
  var isIndependent: Bool

  static func name(_ number: Int) -> String { "part-\(number).m4s" }

  /// Returns whether a file's name is one of a part.
  static func isNamed(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix("part-") == true
  }
}
