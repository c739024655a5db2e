// SPDX-License-Identifier: MIT

internal import ApusBytes

/// All directories of a TIFF stream, with their locations.
///
/// Broken parts are omitted and reported; only a stream without a header is an error.
struct TIFFTree: Sendable {
  enum Role: Hashable, Sendable {
    /// A directory in the chain that starts at the header: 0 is the picture, 1 its thumbnail.
    case image(Int)
    case exif
    case gps
    case other
  }

  struct Place: Sendable {
    var role: Role
    var offset: Int
    var directory: TIFFDirectory

    var range: Range<Int> { offset..<offset + directory.size }

    func entryOffset(_ index: Int) -> Int { offset + 2 + TIFFEntry.size * index }
  }

  /// A part that could not be read.
  struct Problem: Sendable {
    var role: Role
    var text: String
  }

  /// The maximum number of directories, more than any camera writes; a bound for streams made to cost time.
  static let directoryLimit = 4096

  private(set) var order = ByteOrder.big
  private(set) var places: [Place] = []
  private(set) var problems: [Problem] = []
  private let count: Int

  init(_ bytes: [UInt8]) throws(SyntaxError) {
    let source = MemorySource(bytes)
    count = bytes.count
    var reader = SyntaxReader(source)
    var header = TIFFHeader()
    try header.syntax(&reader)
    order = header.order
    read(source, from: Int(header.directoryOffset))
  }

  private mutating func read(_ source: MemorySource, from start: Int) {
    var waiting: [(role: Role, offset: Int)] = [(.image(0), start)]
    var seen: Set<Int> = []
    var entries = 0
    var index = 0
    while index < waiting.count {
      let (role, offset) = waiting[index]
      index += 1
      guard seen.insert(offset).inserted else {
        note(role, "the directory at byte \(offset) is used twice")
        continue
      }
      guard offset >= TIFFHeader.size, offset <= count - 2 else {
        note(role, "a directory is at byte \(offset), but the stream has \(count) bytes")
        continue
      }
      guard places.count < Self.directoryLimit, entries < Limits().elements else {
        return note(.image(0), "it has too many directories")
      }
      var reader = SyntaxReader(source, range: offset..<count)
      var directory = TIFFDirectory(order)
      do throws(SyntaxError) {
        try directory.syntax(&reader)
      } catch {
        note(role, error.description)
        continue
      }
      if !directory.isComplete {
        note(role, "the directory at byte \(offset) goes past the end")
      }
      entries += directory.entries.count
      places.append(Place(role: role, offset: offset, directory: directory))
      for entry in directory.entries {
        waiting += targets(of: entry, in: role, source.bytes).prefix(Self.directoryLimit)
      }
      if case .image(let number) = role, let next = directory.next, next != 0 {
        waiting.append((.image(number + 1), Int(next)))
      }
    }
  }

  private mutating func note(_ role: Role, _ text: String) {
    if problems.count < 16 { problems.append(Problem(role: role, text: text)) }
  }

  private func targets(of entry: TIFFEntry, in role: Role, _ bytes: [UInt8])
    -> [(role: Role, offset: Int)]
  {
    switch entry.tag {
    case ExifTag.exif:
      integers(of: entry, in: bytes).map { (role == .image(0) ? .exif : .other, $0) }
    case ExifTag.gps: integers(of: entry, in: bytes).map { (.gps, $0) }
    case ExifTag.interoperability, ExifTag.subDirectories:
      integers(of: entry, in: bytes).map { (.other, $0) }
    default: []
    }
  }
}

extension TIFFTree {
  /// Returns the range of an entry's value if it is outside the entry, as far as the stream reaches.
  func outside(_ entry: TIFFEntry) -> Range<Int>? {
    guard let size = entry.byteCount, size > 4, entry.offset < count else { return nil }
    return entry.offset..<min(entry.offset + size, count)
  }

  /// Returns the unsigned numbers of an entry, limited to as many as can be useful as offsets and lengths.
  func integers(of entry: TIFFEntry, in bytes: [UInt8]) -> [Int] {
    if let integer = entry.integer { return [Int(integer)] }
    guard let unit = entry.unitSize, [TIFFEntry.short, TIFFEntry.long, 13].contains(entry.type)
    else { return [] }
    let stored: [UInt8]
    if let range = outside(entry) {
      stored = Array(bytes[range].prefix(unit << 16))
    } else if unit * Int(entry.count) == 4 {
      stored = ByteOrder.big.bytes(entry.value)
    } else {
      return []
    }
    return stride(from: 0, to: stored.count - unit + 1, by: unit).map {
      order.number(stored[$0..<$0 + unit])
    }
  }

  /// Returns the pictures that a directory points to, as far as they lie within the stream.
  func pictures(of directory: TIFFDirectory, in bytes: [UInt8]) -> [Range<Int>] {
    ExifTag.pictures.flatMap { tags -> [Range<Int>] in
      guard let offsets = directory.entries.first(where: { $0.tag == tags.offsets }),
        let counts = directory.entries.first(where: { $0.tag == tags.counts })
      else { return [] }
      return zip(integers(of: offsets, in: bytes), integers(of: counts, in: bytes)).compactMap {
        $0 < count && $1 > 0 ? $0..<min($0 + $1, count) : nil
      }
    }
  }

  /// Returns the JPEG that a directory points to, such as a thumbnail.
  func jpeg(of directory: TIFFDirectory, in bytes: [UInt8]) -> Range<Int>? {
    var jpeg = directory
    jpeg.entries.removeAll { $0.tag != ExifTag.jpegOffset && $0.tag != ExifTag.jpegLength }
    return pictures(of: jpeg, in: bytes).first
  }

  func index(of role: Role) -> Int? { places.firstIndex { $0.role == role } }
}
