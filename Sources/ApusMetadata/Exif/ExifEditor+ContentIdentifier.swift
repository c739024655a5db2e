// SPDX-License-Identifier: MIT

public import ApusBytes

extension ExifEditor {
  /// Sets the content identifier of a Live Photo in Apple's maker note, which is created if there is none.
  ///
  /// - Parameter replacesNote: whether it replaces another maker's note, because a picture has only one.
  mutating func setContentIdentifier(_ text: String, replacesNote: Bool) throws(SyntaxError) {
    guard tree.index(of: .image(0)) != nil else { throw Self.unreadable }
    let note: [UInt8]
    if has(ExifTag.makerNote, in: .exif) {
      guard let old = makerNoteRange else { throw Self.unreadable }
      if AppleMakerNote.isOne(bytes[old]) {
        note = try AppleMakerNote.adding(contentIdentifier: text, to: Array(bytes[old]))
      } else if replacesNote {
        note = try AppleMakerNote.note(contentIdentifier: text)
      } else {
        throw SyntaxError(
          .unsupported, field: "MakerNote",
          detail: "is not Apple's, and a picture can have only one; it would be lost"
        )
      }
    } else {
      note = try AppleMakerNote.note(contentIdentifier: text)
    }
    try set(ExifTag.makerNote, in: .exif, to: .bytes(note, type: 7))
  }

  private var makerNoteRange: Range<Int>? {
    tree.index(of: .exif).flatMap { index in
      tree.places[index].directory.entries.first { $0.tag == ExifTag.makerNote }
    }.flatMap(tree.outside)
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
    var editor = try ExifEditor.empty()
    if let exif { editor = try ExifEditor(ExifReader.withoutIdentifier(exif)) }
    try editor.setContentIdentifier(contentIdentifier, replacesNote: replacesNote)
    return editor.bytes
  }
}
