// SPDX-License-Identifier: MIT

public import ApusBytes

/// Default encryption of a track (`tenc`): ISO/IEC 23001-7, 8.2.
public struct TrackEncryption: FullBox {
  public static let types: [FourCC] = ["tenc"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var reserved: UInt8 = 0
  /// The number of encrypted blocks in each pattern; these bits are reserved in version 0.
  public var defaultCryptByteBlock: UInt8 = 0
  /// The number of clear blocks in each pattern; these bits are reserved in version 0.
  public var defaultSkipByteBlock: UInt8 = 0
  public var defaultIsProtected: UInt8 = 1
  public var defaultPerSampleIVSize: UInt8 = 8
  public var defaultKID = [UInt8](repeating: 0, count: 16)
  /// The initialization vector of protected samples without individual ones.
  public var defaultConstantIV: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "reserved", &reserved)
    try v.u(4, version == 0 ? "reserved" : "default_crypt_byte_block", &defaultCryptByteBlock)
    try v.u(4, version == 0 ? "reserved" : "default_skip_byte_block", &defaultSkipByteBlock)
    try v.u(8, "default_isProtected", &defaultIsProtected)
    try v.u(8, "default_Per_Sample_IV_Size", &defaultPerSampleIVSize)
    try v.bytes("default_KID", &defaultKID, count: 16, .uuid)
    if defaultIsProtected == 1, defaultPerSampleIVSize == 0 {
      let size = try v.count(8, "default_constant_IV_size", defaultConstantIV.count)
      try v.bytes("default_constant_IV", &defaultConstantIV, count: size)
    }
  }
}

/// The data for a content protection system (`pssh`): ISO/IEC 23001-7, 8.1.
public struct ProtectionSystemSpecificHeader: FullBox {
  public static let types: [FourCC] = ["pssh"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var systemID = [UInt8](repeating: 0, count: 16)
  /// The IDs of the keys, in version 1 only.
  public var keyIDs: [[UInt8]] = []
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("SystemID", &systemID, count: 16, .uuid)
    if version > 0 {
      let count = try v.count(32, "KID_count", keyIDs.count)
      try v.list("KIDs", &keyIDs, count: count) { id, v throws(SyntaxError) in
        try v.bytes("KID", &id, count: 16, .uuid)
      }
    }
    let size = try v.count(32, "DataSize", data.count)
    try v.extent("Data", &data, count: size)
  }

  /// The name of the content protection system; `nil` if it is unknown.
  public var system: String? { ProtectionSystem.name(of: systemID) }
}
