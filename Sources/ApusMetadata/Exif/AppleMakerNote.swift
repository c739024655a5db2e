// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The maker note of Apple's phones: a directory in big-endian order after 14 bytes, with offsets relative to the first
/// byte of the note.
struct AppleMakerNote {
  /// The name, version 1, and the byte order.
  private static let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
  private static let contentIdentifier: UInt16 = 0x11
  private static let ascii: UInt16 = 2

  static func isOne(_ note: some Collection<UInt8>) -> Bool {
    note.starts(with: "Apple iOS\0".utf8)
  }

  /// Returns a note with only the content identifier of a Live Photo.
  static func note(contentIdentifier text: String) throws(SyntaxError) -> [UInt8] {
    var directory = TIFFDirectory(.big, next: 0)
    return try head + appended(text, to: &directory, after: [])
  }

  /// Returns a note with the content identifier as an additional entry. All other values are unchanged, and move along.
  static func adding(contentIdentifier text: String, to note: [UInt8]) throws(SyntaxError)
    -> [UInt8]
  {
    var reader = SyntaxReader(MemorySource(note), range: min(head.count, note.count)..<note.count)
    var directory = TIFFDirectory(.big)
    try directory.syntax(&reader)
    guard directory.isComplete, note.prefix(head.count).suffix(2) == head.suffix(2) else {
      throw SyntaxError(
        .unsupported, field: "MakerNote", detail: "is Apple's, but its table is truncated")
    }
    let values = Array(note[(head.count + directory.size)...])
    for index in directory.entries.indices {
      guard let size = directory.entries[index].byteCount else {
        throw SyntaxError(
          .unsupported, field: "MakerNote",
          detail:
            "has a value of the unknown type \(directory.entries[index].type), which cannot "
            + "be moved")
      }
      if size > 4 { directory.entries[index].value &+= UInt32(TIFFEntry.size) }
    }
    return try Array(note.prefix(head.count)) + appended(text, to: &directory, after: values)
  }

  /// Returns the directory with an additional entry, the values, and the value of the entry after them.
  private static func appended(
    _ text: String, to directory: inout TIFFDirectory, after values: [UInt8]
  ) throws(SyntaxError) -> [UInt8] {
    let stored = Array(text.utf8) + [0]
    let padding = values.count % 2
    let place = head.count + directory.size + TIFFEntry.size + values.count + padding
    let entry = TIFFEntry(
      contentIdentifier, ascii, count: UInt32(stored.count), UInt32(clamping: place), .big)
    directory.add(entry)
    return try ExifEditor.written(&directory) + values + Array(repeating: 0, count: padding)
      + stored
  }
}
