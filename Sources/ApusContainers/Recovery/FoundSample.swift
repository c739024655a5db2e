// SPDX-License-Identifier: MIT

/// A sample that was found in the media data, or many of equal size that are adjacent.
struct FoundSample: Sendable {
  var offset: Int
  var size: Int
  /// The number of samples that it combines.
  var count = 1
  /// The number of samples that were lost before it.
  var lost = 0
  var isSync = true
  /// The position of a picture in output order, relative to others of its sequence.
  var orderCount = 0
  /// Whether all pictures before it are shown before it.
  var startsSequence = false

  var range: Range<Int> { offset..<offset + size }

  /// The same samples in pieces that are short enough to be interleaved with other tracks.
  var pieces: [FoundSample] {
    guard count > Self.mostMoments else { return [self] }
    let each = size / count
    return stride(from: 0, to: count, by: Self.mostMoments).map { first in
      var piece = self
      piece.count = min(Self.mostMoments, count - first)
      piece.offset += first * each
      piece.size = piece.count * each
      if first > 0 { piece.lost = 0 }
      return piece
    }
  }

  private static let mostMoments = 1024
}
