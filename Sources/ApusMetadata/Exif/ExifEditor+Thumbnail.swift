// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ExifEditor {
  var hasThumbnail: Bool {
    tree.index(of: .image(1)).map {
      !tree.pictures(of: tree.places[$0].directory, in: bytes).isEmpty
    } ?? false
  }

  /// Sets this JPEG as the thumbnail unless Exif would exceed its capacity.
  mutating func addThumbnail(_ jpeg: [UInt8], orientation: Int, capacity: Int) throws(SyntaxError) {
    var larger = self
    try larger.setThumbnail(jpeg, orientation: orientation)
    guard larger.bytes.count <= capacity else {
      warnings.append(
        "Exif has no room for a thumbnail of \(jpeg.count) bytes: together they would have"
          + " \(larger.bytes.count) bytes, and a JPEG segment holds \(capacity)")
      return
    }
    self = larger
  }

  /// Sets this JPEG as the thumbnail: Exif 2.32, 4.5.5. The previous one is overwritten or cut off.
  mutating func setThumbnail(_ jpeg: [UInt8], orientation: Int) throws(SyntaxError) {
    guard let first = tree.index(of: .image(0)), tree.places[first].directory.isComplete else {
      warnings.append("Exif is invalid, so no thumbnail was added")
      return
    }
    let next = try cutThumbnail()
    let numbers: [(tag: UInt16, type: UInt16, number: UInt32)] = [
      (ExifTag.compression, TIFFEntry.short, 6),
      (ExifTag.orientation, TIFFEntry.short, UInt32(orientation)),
      (ExifTag.xResolution, 5, 0),
      (ExifTag.yResolution, 5, 0),
      (ExifTag.resolutionUnit, TIFFEntry.short, 2),
      (ExifTag.jpegOffset, TIFFEntry.long, 0),
      (ExifTag.jpegLength, TIFFEntry.long, UInt32(clamping: jpeg.count)),
    ].filter { $0.tag != ExifTag.orientation || orientation != 1 }
    let resolution = UInt32(clamping: end + 2 + TIFFEntry.size * numbers.count + 4)
    var directory = TIFFDirectory(tree.order, next: next)
    directory.entries = numbers.map { tag, type, number in
      var entry = TIFFEntry(tag, type, number, tree.order)
      if type == 5 { entry.value = tree.order.stored(resolution) }
      if tag == ExifTag.jpegOffset { entry.integer = resolution + 8 }
      return entry
    }
    // 72 dots per inch.
    let rational = tree.order.bytes(72 as UInt32) + tree.order.bytes(1 as UInt32)
    let offset = try append(Self.written(&directory) + rational + jpeg)
    try chain(offset)
  }

  /// Removes the thumbnail. Its directory stays without it if another one follows, which would otherwise take its place
  /// and be removed the next time.
  mutating func removeThumbnail() throws(SyntaxError) {
    guard let index = tree.index(of: .image(1)), tree.index(of: .image(2)) != nil else {
      _ = try cutThumbnail()
      return
    }
    var directory = tree.places[index].directory
    let own = used(by: [index])
    let kept = [
      ExifTag.orientation, ExifTag.xResolution, ExifTag.yResolution, ExifTag.resolutionUnit,
    ]
    directory.entries.removeAll { !kept.contains($0.tag) }
    guard directory != tree.places[index].directory else { return }
    try rewrite(index, as: directory)
    try readAgain()
    let others = used(by: tree.places.indices).union(RangeSet(0..<TIFFHeader.size))
    try remove(own.subtracting(others), keeping: others)
  }

  /// Removes IFD 1 from the chain, and returns the directory that followed it.
  private mutating func cutThumbnail() throws(SyntaxError) -> UInt32 {
    guard let index = tree.index(of: .image(1)) else { return 0 }
    let next = tree.places[index].directory.next ?? 0
    let others = used(by: tree.places.indices.filter { $0 != index })
    let own = used(by: [index]).subtracting(others).subtracting(tables(except: [index]))
    try chain(next)
    try remove(own, keeping: others)
    return next
  }

  /// Overwrites bytes with zeros, and cuts them off at the end of the stream.
  mutating func remove(_ gone: RangeSet<Int>, keeping others: RangeSet<Int>) throws(SyntaxError) {
    zero(gone)
    let longestPadding = 16
    if let last = gone.ranges.last, bytes.count - last.upperBound < longestPadding,
      others.isDisjoint(RangeSet(last.upperBound..<bytes.count)),
      bytes[last.upperBound...].allSatisfy({ $0 == 0 })
    {
      cut(at: last.lowerBound)
      try readAgain()
    }
  }

  /// Puts a JPEG in the place of the thumbnail, whose directory keeps its other values.
  mutating func replaceThumbnail(by new: MetadataEdits.Thumbnail) throws(SyntaxError) {
    guard hasThumbnail else { return }
    guard let index = tree.index(of: .image(1)),
      let old = tree.jpeg(of: tree.places[index].directory, in: bytes)
    else {
      warnings.append("the thumbnail is in a form that is not changed, and was removed")
      try removeThumbnail()
      return
    }
    let others = used(by: tree.places.indices.filter { $0 != index })
    var offset = UInt32(clamping: old.lowerBound)
    let isAlone = others.union(tables(except: [])).isDisjoint(RangeSet(old))
    if new.jpeg.count <= old.count, isAlone || bytes[old].elementsEqual(new.jpeg) {
      overwrite(new.jpeg, at: old.lowerBound)
    } else {
      offset = try append(new.jpeg)
    }
    try change(offset, of: ExifTag.jpegOffset, in: .image(1))
    try change(UInt32(clamping: new.jpeg.count), of: ExifTag.jpegLength, in: .image(1))
    try change(UInt32(clamping: new.width), of: ExifTag.imageWidth, in: .image(1))
    try change(UInt32(clamping: new.height), of: ExifTag.imageLength, in: .image(1))
    try clear(old)
  }

  /// Makes the first directory point to another one as the next.
  mutating func chain(_ next: UInt32) throws(SyntaxError) {
    guard let index = tree.index(of: .image(0)) else { return }
    var directory = tree.places[index].directory
    guard directory.isComplete else { return }
    directory.next = next
    try rewrite(index, as: directory)
    try readAgain()
  }
}
