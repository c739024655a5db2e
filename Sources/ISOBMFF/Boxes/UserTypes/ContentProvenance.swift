// SPDX-License-Identifier: MIT

public import ApusBytes

/// Content Credentials, or a part of their hashes: C2PA Technical Specification, "Embedding manifests into BMFF-based
/// assets".
public struct ContentProvenance: FullBox, ParentBox {
  public static let types: [FourCC] = []
  public static let userTypes = [
    UserType("d8fec3d6-1b0e-483c-9297-5828877ec481", "Content Credentials (C2PA)")
  ]
  public var header = FullBoxHeader()
  /// The purpose: `manifest`, `original`, `update` or `merkle`.
  public var boxPurpose: Text = "manifest"
  /// The offset in the file of the first such box with hashes; 0 without hashes.
  public var merkleOffset: UInt64 = 0
  /// The manifest store; empty for hashes.
  public var boxes: [Node] = []
  /// The hashes in CBOR, if that is the purpose.
  public var hashes = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("box_purpose", &boxPurpose)
    guard boxPurpose != "merkle" else { return try v.extent("data", &hashes, count: nil) }
    try v.u(64, "merkle_offset", &merkleOffset)
    try v.framed(&boxes, count: nil)
  }
}
