// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// A box around media data, recognized among other bytes by its type.
struct FileBox {
  var type: FourCC
  /// The range of the box, which may extend beyond the file.
  var range: Range<Int>
  /// The size of its header in bytes.
  var headerCount: Int
  /// Whether it extends to the end of the file, as its header says.
  var isOpen: Bool

  /// The types of boxes that are recognized anywhere.
  static let types: Set<FourCC> = [
    "ftyp", "styp", "free", "skip", "wide", "pdin", "uuid", "mdat", "moov", "moof", "mfra", "sidx",
    "ssix", "prft", "emsg", "meta", "udta", "pnot", "PICT",
  ]
  /// Boxes that end the file where it was cut.
  private static let cut: Set<FourCC> = ["mdat", "moov", "moof"]

  /// Returns the box at an offset; `nil` if there is none that makes sense there.
  ///
  /// - Parameter isExpected: whether a box ends at the offset, so that one of an unknown type may follow.
  static func find(
    at offset: Int, isExpected: Bool = false, in window: inout SearchWindow
  ) throws(SyntaxError) -> FileBox? {
    let bytes = try window.bytes(at: offset, upTo: 32)
    guard bytes.count >= 8 else { return nil }
    let start = bytes.startIndex
    let type = FourCC(UInt32(bigEndianBytes: bytes[start + 4..<start + 8]))
    let isKnown = types.contains(type)
    let isName = bytes[start + 4..<start + 8].allSatisfy { 0x20..<0x7f ~= $0 }
    guard isKnown || isExpected && isName else { return nil }
    var reader = SyntaxReader(MemorySource(Array(bytes)))
    guard let found = try BoxHeader.read(from: &reader) else { return nil }
    let header = found.header
    guard let size = found.size else {
      guard type == "mdat" else { return nil }
      return FileBox(
        type: type, range: offset..<window.count, headerCount: header.count, isOpen: true)
    }
    let least = UInt64(header.count)
    guard size >= least, size < 1 << 48 else { return nil }
    let range = offset..<offset + Int(size)
    guard range.upperBound <= window.count || cut.contains(type) else { return nil }
    return FileBox(type: type, range: range, headerCount: header.count, isOpen: false)
  }
}
