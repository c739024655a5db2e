// SPDX-License-Identifier: MIT

public import ApusBytes

/// Metadata (`meta`): ISO/IEC 14496-12, 8.11.1, and the QuickTime File Format, where it has no version and
/// flags.
public struct Metadata: ParentBox {
  public static let types: [FourCC] = ["meta"]
  /// The version and flags; absent in the QuickTime form.
  public var header: FullBoxHeader? = FullBoxHeader()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading {
      let isQuickTime = Self.beginsWithBox(try v.peek(8), of: v.remaining)
      header = isQuickTime ? nil : FullBoxHeader()
    }
    if var header {
      try v.u(8, "version", &header.version)
      guard header.version == 0 else {
        throw v.failure(.invalid, "version", "is \(header.version), known is 0")
      }
      v.note(version: header.version)
      try v.u(24, "flags", &header.flags, as: .hex)
      self.header = header
    }
    try v.framed(&boxes, count: nil)
  }

  /// Returns whether the body begins with a plausible size and a type; an ISO box begins with the version and flags,
  /// which are zero.
  private static func beginsWithBox(_ bytes: [UInt8], of available: Int) -> Bool {
    guard bytes.count == 8 else { return bytes.isEmpty }
    let size = Int(bigEndianBytes: bytes.prefix(4))
    return (8...max(8, available)).contains(size)
      && bytes.suffix(4).allSatisfy { (0x20...0x7e).contains($0) }
  }
}
