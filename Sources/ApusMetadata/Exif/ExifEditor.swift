// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Exif whose values are changed in place.
///
/// Nothing that a maker note could point to is moved: new data is appended, removed data is overwritten with zeros, or
/// cut off if nothing follows it.
struct ExifEditor: Sendable {
  private(set) var bytes: [UInt8]
  private(set) var tree: TIFFTree
  var warnings: [String] = []
  /// Whether something was appended to a stream that is cut off.
  private(set) var hasAppendedToCut = false

  init(_ bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes
    tree = try TIFFTree(bytes)
  }

  /// Creates Exif with only the orientation of the picture.
  static func minimal(orientation: Int) throws(SyntaxError) -> ExifEditor {
    let entry = TIFFEntry(ExifTag.orientation, TIFFEntry.short, UInt32(orientation), .big)
    var header = TIFFHeader()
    var directory = TIFFDirectory(.big, [entry], next: 0)
    return try ExifEditor(written(&header) + written(&directory))
  }

  /// Sets the orientation of the picture and of its thumbnail.
  mutating func setOrientation(_ value: Int) throws(SyntaxError) {
    try change(UInt32(value), of: ExifTag.orientation, in: .image(0))
    try change(UInt32(value), of: ExifTag.orientation, in: .image(1))
    guard value != 1, let index = tree.index(of: .image(0)),
      !tree.places[index].directory.entries.contains(where: { $0.tag == ExifTag.orientation })
    else { return }
    let directory = tree.places[index].directory
    guard directory.isComplete, directory.entries.count < UInt16.max else {
      warnings.append("Exif is invalid, so its Orientation could not be set to \(value)")
      return
    }
    try add(
      TIFFEntry(ExifTag.orientation, TIFFEntry.short, UInt32(value), tree.order), to: directory)
  }

  /// Updates the size of the picture, if Exif has it.
  mutating func setSize(width: Int, height: Int) throws(SyntaxError) {
    guard let width = UInt32(exactly: width), let height = UInt32(exactly: height) else { return }
    try change(width, of: ExifTag.pixelXDimension, in: .exif)
    try change(height, of: ExifTag.pixelYDimension, in: .exif)
    // If the first directory has a picture, it describes that one.
    guard let index = tree.index(of: .image(0)),
      tree.pictures(of: tree.places[index].directory, in: bytes).isEmpty
    else { return }
    try change(width, of: ExifTag.imageWidth, in: .image(0))
    try change(height, of: ExifTag.imageLength, in: .image(0))
  }

  /// Changes the values that a tag has in directories of a role.
  mutating func change(_ value: UInt32, of tag: UInt16, in role: TIFFTree.Role)
    throws(SyntaxError)
  {
    var isChanged = false
    for place in tree.places where place.role == role {
      for (index, entry) in place.directory.entries.enumerated()
      where entry.tag == tag && entry.integer != value {
        var entry = entry
        entry.integer = value
        overwrite(try Self.written(&entry), at: place.entryOffset(index))
        isChanged = true
      }
    }
    if isChanged { try readAgain() }
  }

  /// Appends a copy of the first directory with an additional entry, and makes the header point to it.
  mutating func add(_ entry: TIFFEntry, to directory: TIFFDirectory) throws(SyntaxError) {
    let offset = try append(directory, with: entry)
    var header = TIFFHeader(order: tree.order, directoryOffset: offset)
    overwrite(try Self.written(&header), at: 0)
    try readAgain()
  }

  /// Appends a copy of a directory with an additional entry, and returns its offset.
  mutating func append(_ directory: TIFFDirectory, with entry: TIFFEntry) throws(SyntaxError)
    -> UInt32
  {
    var directory = directory
    directory.add(entry)
    return try append(Self.written(&directory))
  }
}

// MARK: - Bytes

extension ExifEditor {
  static func written<Structure: SyntaxStructure>(_ structure: inout Structure)
    throws(SyntaxError) -> [UInt8]
  {
    var writer = SyntaxWriter(ArraySink())
    try structure.syntax(&writer)
    return writer.sink.bytes
  }

  mutating func overwrite(_ new: [UInt8], at offset: Int) {
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }

  /// Whether a directory lacks entries that it announces: it would take what is appended for them.
  var isCut: Bool { tree.places.contains { $0.directory.missing > 0 } }

  /// The offset of the next bytes to be appended: even, as TIFF requires, and after the pointer to a next directory that
  /// a directory at the end may lack, which would take them for one.
  var end: Int {
    let lacking = tree.places.filter { !$0.directory.isComplete }
    let end = lacking.reduce(bytes.count) { max($0, $1.range.upperBound + 4) }
    return end + end % 2
  }

  /// Appends bytes, and returns their offset.
  mutating func append(_ new: [UInt8]) throws(SyntaxError) -> UInt32 {
    guard let offset = UInt32(exactly: end) else {
      throw SyntaxError(
        .limit, field: "Exif", offset: bytes.count, detail: "exceeds the 4 GiB of a TIFF stream")
    }
    hasAppendedToCut = hasAppendedToCut || isCut
    bytes += Array(repeating: 0, count: end - bytes.count) + new
    return offset
  }

  mutating func zero(_ ranges: RangeSet<Int>) {
    for range in ranges.ranges {
      for offset in range.clamped(to: bytes.indices) { bytes[offset] = 0 }
    }
  }

  mutating func cut(at end: Int) {
    bytes.removeSubrange(end...)
  }

  /// Writes a changed directory, which must not be larger, over its original; the rest is filled with zeros.
  mutating func rewrite(_ index: Int, as directory: TIFFDirectory) throws(SyntaxError) {
    let place = tree.places[index]
    var directory = directory
    let new = try Self.written(&directory)
    overwrite(
      new + Array(repeating: 0, count: max(place.range.count - new.count, 0)), at: place.offset)
  }

  mutating func readAgain() throws(SyntaxError) { tree = try TIFFTree(bytes) }

  /// Returns the bytes used by the directories at these indices: their tables, values and pictures.
  func used<Indices: Sequence<Int>>(by indices: Indices) -> RangeSet<Int> {
    var ranges: [Range<Int>] = []
    for index in indices {
      let place = tree.places[index]
      ranges.append(place.range)
      ranges += place.directory.entries.compactMap(tree.outside)
      ranges += tree.pictures(of: place.directory, in: bytes)
    }
    return RangeSet(sorting: ranges)
  }

  /// Returns the header and the tables of all other directories, which must stay readable whatever points into them.
  func tables(except gone: Set<Int>) -> RangeSet<Int> {
    let kept = tree.places.indices.filter { !gone.contains($0) }
    return RangeSet(sorting: [0..<TIFFHeader.size] + kept.map { tree.places[$0].range })
  }
}

extension RangeSet<Int> {
  /// Creates a set from ranges, inserted in order so that many cost little more than few.
  init(sorting ranges: [Range<Int>]) {
    self.init()
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      insert(contentsOf: range)
    }
  }
}
