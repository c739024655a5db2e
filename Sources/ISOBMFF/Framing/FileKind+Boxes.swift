// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

extension FileKind {
  /// Determines the kind of an input. Boxes count as an ISO base media file, whatever the first one is.
  public init(of source: any ByteSource) throws(SyntaxError) {
    let prefix = try source.bytes(in: 0..<min(source.count, FileKind.prefixLength))
    let kind = FileKind(prefix: prefix)
    self = kind.mayBeBoxes && Self.beginsWithBox(prefix, of: source.count, kind) ? .isoBMFF : kind
  }

  /// Whether the input may consist of boxes; a start code is also the size of a small box.
  private var mayBeBoxes: Bool { self == .unknown || self == .annexB }

  /// Returns whether the input begins with a known type and a valid size or, if nothing suggests another kind of file,
  /// with any printable type whose box ends within the input.
  private static func beginsWithBox(_ prefix: [UInt8], of count: Int, _ kind: FileKind) -> Bool {
    guard prefix.count >= 8 else { return false }
    let size = Int(bigEndianBytes: prefix[0..<4])
    let type = FourCC(prefix[4..<8])
    if BoxRegistry.standard.declaration(of: type) != nil {
      return size >= 8 || size <= 1
    }
    return kind == .unknown && type.isPrintable && (8...max(count, 8)).contains(size)
  }
}

extension ByteSource {
  /// The major brand of a file that begins with `ftyp`; `nil` for any other.
  package var majorBrand: FourCC? {
    get throws(SyntaxError) {
      guard count >= 12 else { return nil }
      let bytes = try bytes(in: 0..<12)
      return FourCC(bytes[4..<8]) == "ftyp" ? FourCC(bytes[8...]) : nil
    }
  }
}
