// SPDX-License-Identifier: MIT

public import ApusBytes

/// The sampling rate, if 16 bits are not enough for it (`srat`): ISO/IEC 14496-12, 12.2.3.
public struct SamplingRate: FullBox {
  public static let types: [FourCC] = ["srat"]
  public var header = FullBoxHeader()
  public var samplingRate: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sampling_rate", &samplingRate)
  }
}

/// The assignment of channels to loudspeakers (`chan`): QuickTime File Format, Sound Media.
public struct AudioChannelLayout: FullBox {
  public static let types: [FourCC] = ["chan"]
  public var header = FullBoxHeader()
  public var layoutTag: UInt32 = 0
  public var bitmap: UInt32 = 0
  public var descriptions = Table()

  /// The columns of `descriptions`: the label, the flags and the coordinates of each channel.
  public static let columns: [Table.Column] = [
    .init("mChannelLabel", 32), .init("mChannelFlags", 32, .hex),
    .init("mCoordinates[0]", 32, .float(32)), .init("mCoordinates[1]", 32, .float(32)),
    .init("mCoordinates[2]", 32, .float(32)),
  ]

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "mChannelLayoutTag", &layoutTag, as: .hex)
    try v.u(32, "mChannelBitmap", &bitmap, as: .hex)
    let count = try v.count(32, "mNumberChannelDescriptions", descriptions.count)
    try v.table("mChannelDescriptions", &descriptions, columns: Self.columns, count: count)
  }
}

/// The parameters of a QuickTime sound decoder (`wave`): QuickTime File Format, Sound Media.
public struct SoundDecompression: ParentBox {
  public static let types: [FourCC] = ["wave"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }

  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    switch type {
    case "mp4a": .box(SoundDecompressionMark.self)
    case FourCC(0): .box(SoundDecompressionEnd.self)
    default: .registered
    }
  }
}

/// The mark before `esds` in a `wave` (`mp4a` of 12 bytes).
public struct SoundDecompressionMark: Box {
  public static let types: [FourCC] = ["mp4a"]
  public var reserved: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "reserved", &reserved)
  }
}

/// The last box of a `wave` (type 0): QuickTime File Format, Terminator Atom.
public struct SoundDecompressionEnd: Box {
  public static let types: [FourCC] = []
  public init() {}
  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {}
}

/// The byte order of PCM samples (`enda`): QuickTime File Format, Sound Media.
public struct AudioEndianness: Box {
  public static let types: [FourCC] = ["enda"]
  public var littleEndian: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "littleEndian", &littleEndian)
  }
}
