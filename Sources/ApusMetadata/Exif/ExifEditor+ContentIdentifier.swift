// SPDX-License-Identifier: MIT

public import ApusBytes

extension ExifEditor {
  /// Creates Exif with only the identifier that the picture and the video of a Live Photo share.
  static func minimal(contentIdentifier: String) throws(SyntaxError) -> ExifEditor {
    let note = try AppleMakerNote.note(contentIdentifier: contentIdentifier)
    var header = TIFFHeader()
    let photo = TIFFHeader.size + TIFFDirectory(.big, [TIFFEntry()], next: 0).size
    var image = TIFFDirectory(
      .big, [TIFFEntry(ExifTag.exif, TIFFEntry.long, UInt32(photo), .big)], next: 0)
    var directory = TIFFDirectory(.big, [Self.makerNote(note, at: 2 * photo - 8, .big)], next: 0)
    return try ExifEditor(written(&header) + written(&image) + written(&directory) + note)
  }

  /// Sets the content identifier of a Live Photo in Apple's maker note, which is created if there is none.
  ///
  /// - Parameter replacesNote: whether it replaces another maker's note, because a picture has only one.
  mutating func setContentIdentifier(_ text: String, replacesNote: Bool) throws(SyntaxError) {
    guard let image = tree.index(of: .image(0)) else { throw Self.unreadable }
    guard let photo = tree.index(of: .exif) else {
      let note = try append(AppleMakerNote.note(contentIdentifier: text))
      let directory = TIFFDirectory(tree.order, next: 0)
      let entry = Self.makerNote(from: note, to: bytes.count, tree.order)
      let offset = try append(directory, with: entry)
      let pointer = TIFFEntry(ExifTag.exif, TIFFEntry.long, offset, tree.order)
      guard Self.hasRoom(tree.places[image].directory) else { throw Self.unreadable }
      return try add(pointer, to: tree.places[image].directory)
    }
    let place = tree.places[photo]
    guard let index = place.directory.entries.firstIndex(where: { $0.tag == ExifTag.makerNote })
    else {
      guard Self.hasRoom(place.directory) else { throw Self.unreadable }
      let note = try append(AppleMakerNote.note(contentIdentifier: text))
      let entry = Self.makerNote(from: note, to: bytes.count, tree.order)
      try point(image, to: append(place.directory, with: entry))
      return try clear(place.range)
    }
    guard let old = tree.outside(place.directory.entries[index]) else { throw Self.unreadable }
    let new: [UInt8]
    if AppleMakerNote.isOne(bytes[old]) {
      new = try AppleMakerNote.adding(contentIdentifier: text, to: Array(bytes[old]))
    } else if replacesNote {
      new = try AppleMakerNote.note(contentIdentifier: text)
    } else {
      throw SyntaxError(
        .unsupported, field: "MakerNote",
        detail: "is not Apple's, and a picture can have only one; it would be lost"
      )
    }
    let note = try append(new)
    var entry = Self.makerNote(from: note, to: bytes.count, tree.order)
    overwrite(try Self.written(&entry), at: place.entryOffset(index))
    try readAgain()
    try clear(old)
  }

  /// Makes the first directory point to another one for Exif.
  private mutating func point(_ image: Int, to offset: UInt32) throws(SyntaxError) {
    let place = tree.places[image]
    for (index, entry) in place.directory.entries.enumerated() where entry.tag == ExifTag.exif {
      var entry = entry
      entry.integer = offset
      overwrite(try Self.written(&entry), at: place.entryOffset(index))
    }
    try readAgain()
  }

  /// Overwrites bytes that are no longer used with zeros.
  private mutating func clear(_ range: Range<Int>) throws(SyntaxError) {
    var gone = RangeSet(range)
    gone.subtract(used(by: tree.places.indices))
    zero(gone)
    try readAgain()
  }

  private static func hasRoom(_ directory: TIFFDirectory) -> Bool {
    directory.isComplete && directory.entries.count < UInt16.max
  }

  private static func makerNote(_ note: [UInt8], at offset: Int, _ order: ByteOrder) -> TIFFEntry {
    makerNote(from: UInt32(offset), to: offset + note.count, order)
  }

  private static func makerNote(from start: UInt32, to end: Int, _ order: ByteOrder) -> TIFFEntry {
    let undefined: UInt16 = 7
    return TIFFEntry(
      ExifTag.makerNote, undefined, count: UInt32(clamping: end) - start, start, order)
  }

  private static var unreadable: SyntaxError {
    SyntaxError(
      .unsupported, field: "Exif", detail: "is invalid, so nothing can be added to it")
  }
}

/// Adds the content identifier of a Live Photo to Exif.
public enum ExifWithIdentifier {
  /// Returns Exif, starting with its TIFF header, with the identifier in Apple's maker note and everything else
  /// unchanged.
  ///
  /// - Parameters:
  ///   - exif: the Exif of the picture; `nil` if it has none.
  ///   - replacesNote: whether it replaces another maker's note.
  public static func exif(
    _ exif: [UInt8]?, contentIdentifier: String, replacesNote: Bool
  ) throws(SyntaxError) -> [UInt8] {
    guard let exif else {
      return try ExifEditor.minimal(contentIdentifier: contentIdentifier).bytes
    }
    var editor = try ExifEditor(ExifReader.withoutIdentifier(exif))
    try editor.setContentIdentifier(contentIdentifier, replacesNote: replacesNote)
    return editor.bytes
  }
}
