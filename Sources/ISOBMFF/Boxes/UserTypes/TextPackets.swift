// SPDX-License-Identifier: MIT

public import ApusBytes

/// XMP of a file (`XMP_` in user data of QuickTime): XMP Specification, part 3, 1.2.7.
public struct XMPPacket: Box {
  public static let types: [FourCC] = ["XMP_"]
  public static let userTypes = [UserType("be7acfcb-97a9-42e8-9c71-999491e3afac", "XMP")]
  public var packet: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("packet", &packet, count: nil, .text)
  }

  /// Returns whether a box has XMP, even if that cannot be read.
  static func isHeld(by node: Node) -> Bool {
    types.contains(node.type) || node.header.userType == userTypes[0].bytes
  }
}

/// The projection of spherical video as XML, in a track: Spherical Video RFC, version 1.
public struct SphericalVideoXML: Box {
  public static let types: [FourCC] = []
  public static let userTypes = [
    UserType("ffcc8263-f855-4a93-8814-587a02521fdd", "spherical video")
  ]
  public var xml: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("xml", &xml, count: nil, .text)
  }
}
