// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ExifEditor {
  /// Drops thumbnails and previews at the end until the stream fits `limit`, and reports that.
  ///
  /// A preview before data that must not move is kept, because dropping it would gain nothing.
  mutating func dropPreviews(toFit limit: Int) throws(SyntaxError) {
    let before = bytes.count
    for cutsUnknown in [false, true] where bytes.count > limit {
      try dropPreviews(cuttingUnknown: cutsUnknown)
    }
    if bytes.count < before {
      warnings.append(
        "Exif of \(before) bytes does not fit into a JPEG segment;"
          + " the thumbnails and previews at its end were left out")
    }
  }

  /// Removes the JPEGs that directories refer to, except the thumbnail; none of their bytes are left.
  mutating func removePreviews() throws(SyntaxError) {
    let previews = self.previews.filter { $0.owner != nil }
    var gone = RangeSet(sorting: previews.flatMap(\.ranges))
    try removeTags(of: previews)
    if let index = tree.index(of: .image(1)), tree.index(of: .image(2)) != nil {
      let later = tree.places.indices.filter { isChained(tree.places[$0].role) && $0 != index }
      gone.formUnion(used(by: later))
      var directory = tree.places[index].directory
      directory.next = 0
      try rewrite(index, as: directory)
      try readAgain()
    }
    let others = used(by: tree.places.indices).union(RangeSet(0..<TIFFHeader.size))
    try remove(gone.subtracting(others), keeping: others)
  }

  private mutating func removeTags(of previews: [Preview]) throws(SyntaxError) {
    for (index, place) in tree.places.enumerated() {
      let tags = Set(previews.filter { $0.owner == index }.flatMap(\.tags))
      var directory = place.directory
      directory.entries.removeAll { tags.contains($0.tag) }
      if directory != place.directory { try rewrite(index, as: directory) }
    }
    try readAgain()
  }

  /// - Parameter cuttingUnknown: whether a JPEG that no directory points to may also be dropped, such as the preview in
  ///   a maker note.
  private mutating func dropPreviews(cuttingUnknown: Bool) throws(SyntaxError) {
    let previews = self.previews
    let kept = needed(without: previews)
    let gone = RangeSet(sorting: previews.flatMap(\.ranges)).subtracting(kept)
    let end = trimmedEnd(kept, gone, cuttingUnknown: cuttingUnknown)
    guard end < bytes.count else { return }

    let dropped = previews.filter { $0.ranges.contains { $0.upperBound > end } }
    try removeTags(of: dropped)
    if dropped.contains(where: { $0.owner == nil }) { try chain(0) }
    zero(RangeSet(sorting: dropped.flatMap(\.ranges)).subtracting(kept))
    cut(at: end)
    try readAgain()
  }

  /// Optional pictures in Exif.
  private struct Preview {
    /// The directory that refers to it, and the tags; `nil` if whole directories are dropped.
    var owner: Int?
    var tags: Set<UInt16> = []
    var ranges: [Range<Int>]
  }

  /// All directories after the first in the chain, and the JPEGs that other directories refer to.
  private var previews: [Preview] {
    var previews: [Preview] = []
    let chain = tree.places.indices.filter { isChained(tree.places[$0].role) }
    let first = tree.index(of: .image(0)).map { tree.places[$0].directory }
    if !chain.isEmpty, first?.isComplete == true {
      previews.append(Preview(owner: nil, ranges: Array(used(by: chain).ranges)))
    }
    for (index, place) in tree.places.enumerated() where !isChained(place.role) {
      for entry in place.directory.entries where entry.tag != ExifTag.makerNote {
        if let range = tree.outside(entry), bytes[range].starts(with: [0xFF, 0xD8, 0xFF]) {
          previews.append(Preview(owner: index, tags: [entry.tag], ranges: [range]))
        }
      }
      if let range = tree.jpeg(of: place.directory, in: bytes) {
        let tags: Set = [ExifTag.jpegOffset, ExifTag.jpegLength]
        previews.append(Preview(owner: index, tags: tags, ranges: [range]))
      }
    }
    return previews
  }

  private func isChained(_ role: TIFFTree.Role) -> Bool {
    if case .image(let number) = role { number > 0 } else { false }
  }

  private func needed(without previews: [Preview]) -> RangeSet<Int> {
    let rest = tree.places.indices.filter { !isChained(tree.places[$0].role) }
    var ranges = [0..<TIFFHeader.size]
    for index in rest {
      let place = tree.places[index]
      let tags = Set(previews.filter { $0.owner == index }.flatMap(\.tags))
      var directory = place.directory
      directory.entries.removeAll { tags.contains($0.tag) }
      ranges.append(place.range)
      ranges += directory.entries.compactMap(tree.outside)
      ranges += tree.pictures(of: directory, in: bytes)
    }
    return RangeSet(sorting: ranges)
  }

  /// Returns the end of the stream after dropping `gone` and padding.
  private func trimmedEnd(
    _ kept: RangeSet<Int>, _ gone: RangeSet<Int>, cuttingUnknown: Bool
  ) -> Int {
    var end = bytes.count
    var whole = RangeSet(0..<bytes.count)
    whole.subtract(kept)
    guard let tail = whole.ranges.last, tail.upperBound == end else { return end }
    for range in gone.ranges.reversed() where range.overlaps(tail) {
      guard canGo(range.upperBound..<end, unknown: cuttingUnknown) else { return end }
      end = range.lowerBound
    }
    let rest = tail.lowerBound..<end
    return !rest.isEmpty && rest.count > 16 && cuttingUnknown && canGo(rest, unknown: true)
      ? rest.lowerBound : end
  }

  private func canGo(_ range: Range<Int>, unknown: Bool) -> Bool {
    let longestPadding = 16
    if range.count <= longestPadding { return true }
    let start = range.lowerBound..<min(range.lowerBound + longestPadding, range.upperBound - 2)
    return unknown && start.contains { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }
  }
}
