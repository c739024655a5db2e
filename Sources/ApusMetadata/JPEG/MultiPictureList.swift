// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The index of the pictures of a JPEG file (MPF): CIPA DC-007, 5.
public struct MultiPictureList: Hashable, Sendable {
  /// A picture in the index.
  public struct Entry: Hashable, Sendable {
    /// The type, bits 0 to 23 of the attribute word: 0x030000 for the primary picture, 0x050000 for a gain map.
    public var type: Int
    /// The range of the picture in the file.
    public var range: Range<Int>

    /// Whether it is a smaller form of the first picture ("Large Thumbnail"): CIPA DC-007, table 4.
    public var isPreview: Bool { type >> 16 == 1 }
  }

  /// The pictures after the first.
  public private(set) var others: [Entry] = []

  static let entries: UInt16 = 0xB002
  static let entrySize = 16

  /// - Parameters:
  ///   - body: the body of an APP2 segment.
  ///   - offset: the offset of the body in the file, whose size is also given.
  public init?(_ body: ArraySlice<UInt8>, at offset: Int, of fileSize: Int) {
    guard MultiPictureIndex.isIndex(body) else { return nil }
    let bytes = Array(body.dropFirst(MultiPictureIndex.identifier.count))
    let base = offset + MultiPictureIndex.identifier.count
    let tree: TIFFTree
    do throws(SyntaxError) { tree = try TIFFTree(bytes) } catch { return nil }
    let found = tree.places.lazy.flatMap(\.directory.entries).first { $0.tag == Self.entries }
    guard let found, let place = tree.outside(found) else { return nil }
    func number(_ at: Int) -> Int { tree.order.number(bytes[at..<at + 4]) }
    for start in stride(
      from: place.lowerBound + Self.entrySize, to: place.upperBound - Self.entrySize + 1,
      by: Self.entrySize)
    {
      let (size, position) = (number(start + 4), number(start + 8))
      guard position > 0, size > 0, base + position < fileSize else { continue }
      others.append(
        Entry(
          type: number(start) & 0xFF_FFFF,
          range: base + position..<min(base + position + size, fileSize)))
    }
  }
}
