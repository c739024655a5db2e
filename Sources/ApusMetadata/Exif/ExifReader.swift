// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The facts in Exif that a conversion needs.
public enum ExifReader {
  /// Returns the orientation of the picture: the value of Orientation in IFD 0, 1 to 8 (Exif 2.32, 4.6.4).
  public static func orientation(of exif: [UInt8]) -> Int? {
    guard let tree = tree(exif).tree, let index = tree.index(of: .image(0)) else { return nil }
    let entry = tree.places[index].directory.entries.first { $0.tag == ExifTag.orientation }
    guard let value = entry?.integer, (1...8).contains(value) else { return nil }
    return Int(value)
  }

  /// Returns the JPEG in IFD 1.
  public static func thumbnail(of exif: [UInt8]) -> [UInt8]? {
    let (bytes, tree) = tree(exif)
    guard let tree, let index = tree.index(of: .image(1)) else { return nil }
    let range = tree.pictures(of: tree.places[index].directory, in: bytes).last
    guard let range, bytes[range].starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    return Array(bytes[range])
  }

  /// Returns whether IFD 1 has a thumbnail, in whatever form.
  public static func hasThumbnail(_ exif: [UInt8]) -> Bool {
    (try? ExifEditor(withoutIdentifier(exif)))?.hasThumbnail ?? false
  }

  /// Returns whether colours are those of Adobe RGB according to the DCF option that cameras follow: a colour space
  /// other than sRGB, and `R03` (DCF 2.0, 5.5; Exif 2.32, 4.6.6).
  public static func isAdobeRGB(_ exif: [UInt8]) -> Bool {
    let (bytes, tree) = tree(exif)
    guard let tree, let photo = tree.index(of: .exif).map({ tree.places[$0].directory }) else {
      return false
    }
    let space = photo.entries.first { $0.tag == ExifTag.colorSpace }?.integer
    let pointer = photo.entries.first { $0.tag == ExifTag.interoperability }?.integer
    guard space == 0xFFFF, let pointer,
      let place = tree.places.first(where: { $0.offset == Int(pointer) })
    else { return false }
    return tree.text(ExifTag.interoperabilityIndex, of: place.directory, in: bytes) == "R03"
  }

  /// Returns the maker note (tag 0x927C), as far as it lies within the stream.
  static func makerNote(of exif: [UInt8]) -> [UInt8]? {
    let (bytes, tree) = tree(exif)
    guard let tree, let index = tree.index(of: .exif) else { return nil }
    let entry = tree.places[index].directory.entries.first { $0.tag == ExifTag.makerNote }
    guard let entry, let count = entry.byteCount, count > 4, entry.offset < bytes.count else {
      return nil
    }
    return Array(bytes[entry.offset...].prefix(count))
  }

  /// Returns Exif without the identifier that precedes it in JPEG.
  static func withoutIdentifier(_ exif: [UInt8]) -> [UInt8] {
    exif.starts(with: JPEGSegment.exif) ? Array(exif.dropFirst(JPEGSegment.exif.count)) : exif
  }

  private static func tree(_ exif: [UInt8]) -> (bytes: [UInt8], tree: TIFFTree?) {
    let bytes = withoutIdentifier(exif)
    do throws(SyntaxError) {
      return (bytes, try TIFFTree(bytes))
    } catch {
      return (bytes, nil)
    }
  }
}
