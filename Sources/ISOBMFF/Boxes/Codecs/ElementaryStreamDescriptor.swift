// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// An elementary stream: ISO/IEC 14496-1, 7.2.6.5.
public struct ElementaryStreamDescriptor: Sendable {
  public var id: UInt16 = 0
  public var isDependent = false
  public var hasURL = false
  public var hasOCRStream = false
  public var streamPriority: UInt8 = 0
  public var dependsOnID: UInt16 = 0
  public var url: [UInt8] = []
  public var ocrStreamID: UInt16 = 0
  public var descriptors: [Descriptor] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    try v.u(16, "ES_ID", &id)
    try v.flag("streamDependenceFlag", &isDependent)
    try v.flag("URL_Flag", &hasURL)
    try v.flag("OCRstreamFlag", &hasOCRStream)
    try v.u(5, "streamPriority", &streamPriority)
    if isDependent { try v.u(16, "dependsOn_ES_ID", &dependsOnID) }
    if hasURL {
      let length = try v.count(8, "URLlength", url.count)
      try v.bytes("URLstring", &url, count: length, .text)
    }
    if hasOCRStream { try v.u(16, "OCR_ES_Id", &ocrStreamID) }
    try v.descriptors(&descriptors, depth: depth)
  }
}

/// The coding of an elementary stream: ISO/IEC 14496-1, 7.2.6.6.
public struct DecoderConfigDescriptor: Sendable {
  /// The type of coding: 0x40 is MPEG-4 audio, 0x20 MPEG-4 video, 0x6b MP3.
  public var objectTypeIndication: UInt8 = 0
  public var streamType: UInt8 = 0
  public var upStream = false
  public var reserved = true
  public var bufferSizeDB: UInt32 = 0
  public var maxBitrate: UInt32 = 0
  public var averageBitrate: UInt32 = 0
  public var descriptors: [Descriptor] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    try v.u(8, "objectTypeIndication", &objectTypeIndication, as: .hex)
    try v.u(6, "streamType", &streamType)
    try v.flag("upStream", &upStream)
    try v.flag("reserved", &reserved)
    try v.u(24, "bufferSizeDB", &bufferSizeDB)
    try v.u(32, "maxBitrate", &maxBitrate)
    try v.u(32, "avgBitrate", &averageBitrate)
    try v.descriptors(&descriptors, depth: depth, objectType: objectTypeIndication)
  }

  /// The types of MPEG-4 audio, and of the three AAC profiles in MPEG-2.
  static let aac: Set<UInt8> = [0x40, 0x66, 0x67, 0x68]

  /// The configuration of MPEG-4 audio; `nil` if there is none that can be read.
  public var audio: AudioSpecificConfig? {
    for descriptor in descriptors {
      if case .audio(let config) = descriptor.content { return config }
    }
    return nil
  }

  /// Returns the bytes of the decoder-specific configuration; `nil` if there is none.
  public func specificBytes() throws -> [UInt8]? {
    switch descriptors.first(where: { $0.tag == 5 })?.content {
    case .audio(let config): try config.bytes()
    case .bytes(let bytes): bytes
    default: nil
    }
  }
}

/// An object and its streams, initial or not: ISO/IEC 14496-1, 7.2.6.3 and 7.2.6.4.
public struct ObjectDescriptorFields: Sendable {
  public var isInitial: Bool
  public var id: UInt16 = 1
  public var hasURL = false
  /// A flag that is reserved unless the descriptor is initial.
  public var includeInlineProfileLevelFlag = false
  public var reserved: UInt8 = 0b1111
  public var url: [UInt8] = []
  /// The profiles and levels of OD, scene, audio, visual and graphics; 0xff for those that are absent.
  public var profileLevels: [UInt8] = [255, 255, 255, 255, 255]
  public var descriptors: [Descriptor] = []

  /// Creates an empty descriptor.
  ///
  /// - Parameter isInitial: whether it is an initial object descriptor, which also has profiles and levels.
  public init(isInitial: Bool) { self.isInitial = isInitial }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, depth: Int) throws(SyntaxError) {
    try v.u(10, "ObjectDescriptorID", &id)
    try v.flag("URL_Flag", &hasURL)
    try v.flag(
      isInitial ? "includeInlineProfileLevelFlag" : "reserved", &includeInlineProfileLevelFlag)
    try v.u(4, "reserved", &reserved)
    if hasURL {
      let length = try v.count(8, "URLlength", url.count)
      try v.bytes("URLstring", &url, count: length, .text)
    } else if isInitial {
      try v.values(8, "profileLevelIndications", &profileLevels, count: 5, as: .hex)
    }
    try v.descriptors(&descriptors, depth: depth)
  }
}
