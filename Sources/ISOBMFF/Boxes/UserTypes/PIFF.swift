// SPDX-License-Identifier: MIT

public import ApusBytes

/// Default encryption of a track in the form that preceded `tenc`: Protected Interoperable File Format 1.1, 5.3.3.
public struct PIFFTrackEncryption: FullBox {
  public static let types: [FourCC] = []
  public static let userTypes = [
    UserType("8974dbce-7be7-4c51-84f9-7148f9882554", "PIFF track encryption")
  ]
  public var header = FullBoxHeader()
  public var algorithm = PIFFAlgorithm()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try algorithm.syntax(&v)
  }
}

/// Sample encryption in the form that preceded `senc`: Protected Interoperable File Format 1.1, 5.3.2. Flag 1: the
/// algorithm differs from that of the track; flag 2: with subsamples.
public struct PIFFSampleEncryption: FullBox {
  public static let types: [FourCC] = []
  public static let userTypes = [
    UserType("a2394f52-5a9b-4f14-a244-6c427c648df4", "PIFF sample encryption")
  ]
  public var header = FullBoxHeader()
  public var algorithm = PIFFAlgorithm()
  public var sampleCount: UInt32 = 0
  /// The entries, whose initialization vectors have the size that the algorithm or the track states.
  public var entries = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if flags & 1 != 0 { try algorithm.syntax(&v) }
    try v.u(32, "sample_count", &sampleCount)
    try v.extent("entries", &entries, count: nil)
  }
}

/// The algorithm and the key of encrypted samples: Protected Interoperable File Format 1.1, 5.3.2.
public struct PIFFAlgorithm: SyntaxStructure {
  /// The algorithm: 0 for none, 1 for AES in counter mode, 2 for AES in CBC mode.
  public var algorithmID: UInt32 = 1
  public var ivSize: UInt8 = 8
  public var kid = [UInt8](repeating: 0, count: 16)

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(24, "AlgorithmID", &algorithmID)
    try v.u(8, "IV_size", &ivSize)
    try v.bytes("KID", &kid, count: 16, .uuid)
  }
}

/// The data for a content protection system in the form that preceded `pssh`: Protected Interoperable File Format 1.1,
/// 5.3.1.
public struct PIFFProtectionHeader: FullBox {
  public static let types: [FourCC] = []
  public static let userTypes = [
    UserType("d08a4f18-10f3-4a82-b6c8-32d8aba183d3", "PIFF protection system")
  ]
  public var header = FullBoxHeader()
  public var systemID = [UInt8](repeating: 0, count: 16)
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("SystemID", &systemID, count: 16, .uuid)
    let size = try v.count(32, "DataSize", data.count)
    try v.extent("Data", &data, count: size)
  }

  /// The name of the content protection system; `nil` if it is unknown.
  public var system: String? { ProtectionSystem.name(of: systemID) }
}
