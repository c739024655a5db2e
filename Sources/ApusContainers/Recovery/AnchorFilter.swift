// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A quick test for offsets at which boxes or samples cannot begin, which are nearly all of those among other bytes.
struct AnchorFilter: Sendable {
  /// Whether a frame of sound can begin with a byte.
  private var frames = [Bool](repeating: false, count: 256)
  /// Whether the length of a NAL unit can begin with a byte.
  private var lengths = [Bool](repeating: false, count: 256)
  /// Whether a NAL unit can begin with a byte, after a length of four bytes.
  private var units = [Bool](repeating: false, count: 256)
  /// Whether the type of a box can begin with a byte.
  private var types = [Bool](repeating: false, count: 256)
  /// Whether there are NAL units after lengths of other sizes, at which the test cannot look.
  private var isOpen = false

  init(_ tracks: [RecoverableTrack]) {
    for type in FileBox.types { types[Int(type.code >> 24)] = true }
    for track in tracks {
      switch track.structure {
      case .pictures(let finder):
        isOpen = isOpen || finder.lengthSize != 4
        for byte in 0..<256 {
          if byte <= finder.mostUnitBytes >> 24 { lengths[byte] = true }
          if finder.syntax.mayBegin(with: UInt8(byte)) { units[byte] = true }
        }
      case .frames(let reader):
        for byte in 0..<256 where reader.mayBegin(with: UInt8(byte)) { frames[byte] = true }
      case .pattern, .moments, .unknown: break
      }
    }
  }

  /// Returns the first offset from `offset` at which something can begin; the size of the file if there is none.
  func next(from offset: Int, in window: inout SearchWindow) throws(SyntaxError) -> Int {
    guard !isOpen else { return offset }
    var offset = offset
    while offset < window.count {
      let piece = try window.bytes(at: offset, upTo: Self.piece + Self.overlap)
      let span = piece.span
      var index = 0
      while index + Self.overlap < span.count {
        let fifth = Int(span[index + Self.overlap])
        let first = Int(span[index])
        if frames[first] || types[fifth] || (lengths[first] && units[fifth]) {
          return offset + index
        }
        index += 1
      }
      // The last bytes are too few for anything.
      guard piece.count == Self.piece + Self.overlap else { return window.count }
      offset += Self.piece
    }
    return window.count
  }

  private static let piece = 1 << 16
  private static let overlap = 4
}
