// SPDX-License-Identifier: MIT

internal import Media

/// A part of a segment that is written before the segment is whole.
struct SegmentedPart: Hashable, Sendable {
  /// The name of its file, in the folder of its track.
  var name: String
  /// Which segment of the stream it belongs to, from 0.
  var segment: Int
  var duration: RationalTime
  /// Whether a decoder can begin somewhere in it.
  var isIndependent: Bool

  static func name(_ number: Int) -> String { "part-\(number).m4s" }

  /// Whether a file is called like a part.
  static func isNamed(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix("part-") == true
  }
}
