// SPDX-License-Identifier: MIT

import ApusBytes

/// The place of boxes in a structure that contains them, such as the segments of a JPEG.
struct EmbeddedBoxes {
  /// The path of the structure.
  let path: String
  /// The ranges of the file that together are the boxes, and the offset in the boxes at which each begins.
  private let parts: [(start: Int, range: Range<Int>)]

  init(in path: String, at ranges: [Range<Int>]) {
    self.path = path
    var start = 0
    parts = ranges.filter { !$0.isEmpty }.map { range in
      defer { start += range.count }
      return (start, range)
    }
  }

  /// Returns the offset in the file of a byte of the boxes.
  private func offset(of byte: Int) -> Int {
    // The last part that begins at the byte or before.
    var (low, high) = (0, parts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if parts[middle].start <= byte { low = middle } else { high = middle }
    }
    guard parts.indices.contains(low) else { return byte }
    return parts[low].range.lowerBound + byte - parts[low].start
  }

  /// Returns the range in the file from the first to the last byte.
  func range(of range: Range<Int>) -> Range<Int> {
    let start = offset(of: range.lowerBound)
    return start..<(range.isEmpty ? start : offset(of: range.upperBound - 1) + 1)
  }

  /// Returns a field at its place in the file.
  func placed(_ field: Field) -> Field {
    var field = field
    field.position = offset(of: field.position / 8) * 8 + field.position % 8
    switch field.value {
    case .group(let fields): field.value = .group(fields.map(placed))
    case .list(let items): field.value = .list(items.map(placed))
    default: break
    }
    return field
  }
}
