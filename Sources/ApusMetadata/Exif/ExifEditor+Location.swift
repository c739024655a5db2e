// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ExifEditor {
  /// Makers whose notes are known to contain coordinates or names of places.
  private static let makersOfPlaces = ["panasonic", "nikon", "leica"]

  /// Removes the coordinates, and copies of other metadata that may contain them; none of their bytes are left.
  ///
  /// Maker notes are unchanged.
  mutating func removeLocation() throws(SyntaxError) {
    let gone = tree.places.indices.filter { tree.places[$0].role == .gps }
    var ranges = gone.map { tree.places[$0].range }
    var copies = false
    for index in gone {
      ranges += tree.places[index].directory.entries.compactMap(tree.outside)
    }
    for (index, place) in tree.places.enumerated() where place.role != .gps {
      var directory = place.directory
      directory.entries.removeAll { entry in
        let isCopy = ExifTag.copies.contains(entry.tag)
        guard isCopy || entry.tag == ExifTag.gps else { return false }
        if isCopy, let range = tree.outside(entry) { ranges.append(range) }
        copies = copies || isCopy
        return true
      }
      if directory.entries.count < place.directory.entries.count {
        try rewrite(index, as: directory)
      }
    }
    zero(RangeSet(sorting: ranges).subtracting(tables(except: Set(gone))))
    if copies {
      warnings.append("copies of XMP or IPTC inside Exif were removed with the location")
    }
    if let maker = maker, hasMakerNote,
      Self.makersOfPlaces.contains(where: { maker.lowercased().hasPrefix($0) })
    {
      warnings.append("the maker note of \(maker) is kept; it may contain the location")
    }
    try readAgain()
  }

  private var hasMakerNote: Bool {
    tree.places.contains { place in
      place.directory.entries.contains { $0.tag == ExifTag.makerNote }
    }
  }

  private var maker: String? {
    guard let index = tree.index(of: .image(0)),
      let entry = tree.places[index].directory.entries.first(where: { $0.tag == ExifTag.make }),
      let range = tree.outside(entry)
    else { return nil }
    return String(decoding: bytes[range].prefix(32).prefix { $0 != 0 }, as: UTF8.self)
  }
}
