// SPDX-License-Identifier: MIT

public import ApusBytes

/// The first bytes of a file: Adobe Flash Video File Format Specification 10.1, E.2.
public struct FLVHeader: SyntaxStructure, Hashable {
  /// The size in bytes without `extra`.
  public static let size = 9

  public var version: UInt8 = 1
  public var reserved1: UInt8 = 0
  public var hasAudio = true
  public var reserved2 = false
  public var hasVideo = true
  /// The bytes between the first nine and the first `PreviousTagSize`; none in any known file.
  public var extra: [UInt8] = []

  public init() {}

  /// Creates the header for a file with these kinds of tracks.
  public init(hasAudio: Bool, hasVideo: Bool) {
    self.hasAudio = hasAudio
    self.hasVideo = hasVideo
  }

  /// The size in bytes, including `extra`.
  public var count: Int { Self.size + extra.count }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var signature: UInt32 = 0x46_4c_56
    try v.u(24, "Signature", &signature, as: .hex)
    guard signature == 0x46_4c_56 else {
      throw v.failure(.invalid, "Signature", "is not \"FLV\"")
    }
    try v.u(8, "Version", &version)
    try v.u(5, "TypeFlagsReserved", &reserved1)
    try v.flag("TypeFlagsAudio", &hasAudio)
    try v.flag("TypeFlagsReserved", &reserved2)
    try v.flag("TypeFlagsVideo", &hasVideo)
    var offset = UInt32(clamping: count)
    try v.u(32, "DataOffset", &offset)
    guard let length = Int(exactly: offset), length >= Self.size else {
      throw v.failure(.invalid, "DataOffset", "is \(offset), at least 9 was expected")
    }
    try v.bytes("extra", &extra, count: length - Self.size)
  }
}
