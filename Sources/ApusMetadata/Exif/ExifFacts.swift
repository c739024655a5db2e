// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The facts in Exif about how a photo was taken, and its identifiers.
public struct ExifFacts: Hashable, Sendable {
  /// The manufacturer of the camera (Make).
  public var make: String?
  /// The model of the camera (Model).
  public var model: String?
  /// The software of the camera, or the one that wrote the file.
  public var software: String?
  /// The value of DateTimeOriginal, or else DateTime, such as `2024:01:31 12:00:00`.
  public var taken: String?
  /// The value of OffsetTimeOriginal, such as `+01:00`.
  public var offset: String?
  /// The location of the photo.
  public var position: ExifPosition?
  /// The value of CustomRendered: Exif 2.32, 4.6.5. Apple's phones write 6 for a panorama.
  public var customRendered: Int?
  /// The content identifier of a Live Photo, from Apple's maker note.
  public var contentIdentifier: String?
  /// The burst identifier, from Apple's maker note.
  public var burstIdentifier: String?

  /// Reads the facts; `nil` if Exif cannot be read.
  public init?(_ exif: [UInt8]) {
    let bytes = ExifReader.withoutIdentifier(exif)
    let tree: TIFFTree
    do throws(SyntaxError) { tree = try TIFFTree(bytes) } catch { return nil }
    if let image = tree.index(of: .image(0)).map({ tree.places[$0].directory }) {
      make = tree.text(ExifTag.make, of: image, in: bytes)
      model = tree.text(ExifTag.model, of: image, in: bytes)
      software = tree.text(ExifTag.software, of: image, in: bytes)
      taken = tree.text(ExifTag.dateTime, of: image, in: bytes)
    }
    position = ExifPosition(tree, bytes)
    guard let photo = tree.index(of: .exif).map({ tree.places[$0].directory }) else { return }
    customRendered = photo.entries.first { $0.tag == Self.customRenderedTag }?.integer.map(Int.init)
    if let original = tree.text(ExifTag.dateTimeOriginal, of: photo, in: bytes) {
      taken = original
      offset = tree.text(ExifTag.offsetTimeOriginal, of: photo, in: bytes)
    }
    let note = photo.entries.first { $0.tag == ExifTag.makerNote }.flatMap(tree.outside)
    if let note { readApple(Array(bytes[note])) }
  }

  private static let customRenderedTag: UInt16 = 0xA401
  private static let apple = Array("Apple iOS\0".utf8)

  /// Reads Apple's maker note, which is always big-endian; offsets are relative to its first byte.
  private mutating func readApple(_ note: [UInt8]) {
    guard note.starts(with: Self.apple), note.count > 16 else { return }
    let count = Int(bigEndianBytes: note[14..<16])
    for index in 0..<min(count, (note.count - 16) / 12) {
      let entry = note[(16 + 12 * index)...].prefix(12)
      func number(_ at: Int, _ size: Int) -> Int {
        Int(bigEndianBytes: entry.dropFirst(at).prefix(size))
      }
      let (tag, type, length, offset) = (number(0, 2), number(2, 2), number(4, 4), number(8, 4))
      guard type == 2, length > 4, offset < note.count, length <= note.count - offset else {
        continue
      }
      let text = String(decoding: note[offset..<offset + length].prefix { $0 != 0 }, as: UTF8.self)
      guard !text.isEmpty else { continue }
      if tag == 0x0B { burstIdentifier = text }
      if tag == 0x11 { contentIdentifier = text }
    }
  }
}

extension TIFFTree {
  /// Returns the text of a tag; `nil` if it is absent or blank.
  func text(_ tag: UInt16, of directory: TIFFDirectory, in bytes: [UInt8]) -> String? {
    guard
      let text = directory.entries.first(where: { $0.tag == tag }).flatMap({ text($0, in: bytes) }),
      text.contains(where: { $0 != " " })
    else { return nil }
    return text
  }

  /// Returns a value of type ASCII, without its terminating zero.
  func text(_ entry: TIFFEntry, in bytes: [UInt8]) -> String? {
    guard entry.type == 2 else { return nil }
    let stored =
      outside(entry).map { Array(bytes[$0]) }
      ?? Array(ByteOrder.big.bytes(entry.value).prefix(Int(min(entry.count, 4))))
    return String(decoding: stored.prefix { $0 != 0 }, as: UTF8.self)
  }
}
