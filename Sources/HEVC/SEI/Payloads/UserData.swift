// SPDX-License-Identifier: MIT

public import ApusBytes

/// Data of an application, identified by a UUID (`user_data_unregistered()`): ITU-T H.265, D.2.7.
public struct UnregisteredUserData: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 5

  public var uuidISOIEC11578: [UInt8] = []
  public var userDataPayload: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("uuid_iso_iec_11578", &uuidISOIEC11578, count: 16, .uuid)
    let count = v.isReading ? v.remaining : userDataPayload.count
    try v.bytes("user_data_payload_byte", &userDataPayload, count: count, isText ? .text : .bytes)
  }

  /// The UUID for x265's version and options.
  public static let x265: [UInt8] = [
    0x2c, 0xa2, 0xde, 0x09, 0xb5, 0x17, 0x47, 0xdb, 0xbb, 0x55, 0xa4, 0xfe, 0x7f, 0xc2, 0xfc, 0x4e,
  ]

  /// Whether the data is printable, apart from a final zero.
  private var isText: Bool {
    let end = userDataPayload.last == 0 ? userDataPayload.dropLast() : userDataPayload[...]
    return !end.isEmpty && end.allSatisfy { (0x20..<0x7f).contains($0) || $0 == 0x0a }
  }

  /// The data as text, if it is text: x265's description of itself and its options.
  public var text: String? {
    guard isText else { return nil }
    let end = userDataPayload.last == 0 ? userDataPayload.dropLast() : userDataPayload[...]
    return String(decoding: end, as: UTF8.self)
  }
}

/// Data of an application, identified by a country's registry (`user_data_registered_itu_t_t35()`): ITU-T H.265, D.2.6.
public struct RegisteredUserData: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 4

  public var ituTT35CountryCode: UInt8 = 0
  public var ituTT35CountryCodeExtensionByte: UInt8 = 0
  /// The provider, if the country is the United States (0xB5).
  public var ituTT35ProviderCode: UInt16 = 0
  public var content: Content = .other([])

  public init() {}

  /// The data by their kind, which the first bytes after the provider code identify.
  public enum Content: Hashable, Sendable {
    case atsc(ATSCUserData)
    case hdr10Plus(DynamicHDRMetadata)
    /// The bytes of a reference processing unit.
    case dolbyVision([UInt8])
    case other([UInt8])

    /// The name of the kind, for display.
    public var name: String {
      switch self {
      case .atsc(let data): data.captions == nil ? "ATSC" : "ATSC captions"
      case .hdr10Plus: "HDR10+ (ST 2094-40)"
      case .dolbyVision: "Dolby Vision RPU"
      case .other: "other"
      }
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "itu_t_t35_country_code", &ituTT35CountryCode, as: .hex)
    if ituTT35CountryCode == 0xff {
      try v.u(
        8, "itu_t_t35_country_code_extension_byte", &ituTT35CountryCodeExtensionByte, as: .hex)
    }
    if ituTT35CountryCode == 0xb5 {
      try v.u(16, "itu_t_t35_provider_code", &ituTT35ProviderCode, as: .hex)
    }
    if v.isReading { content = try Self.kind(v.peek(6), ituTT35CountryCode, ituTT35ProviderCode) }
    switch content {
    case .atsc(var data):
      try data.syntax(&v)
      content = .atsc(data)
    case .hdr10Plus(var metadata):
      try metadata.syntax(&v)
      content = .hdr10Plus(metadata)
    case .dolbyVision(var bytes):
      try v.bytes("dolby_vision_rpu", &bytes, count: v.isReading ? nil : bytes.count)
      content = .dolbyVision(bytes)
    case .other(var bytes):
      try v.bytes("itu_t_t35_payload_byte", &bytes, count: v.isReading ? nil : bytes.count)
      content = .other(bytes)
    }
  }

  /// Determines the kind of content from the first bytes after the provider code.
  private static func kind(_ next: [UInt8], _ country: UInt8, _ provider: UInt16) -> Content {
    guard country == 0xb5 else { return .other([]) }
    switch provider {
    case 0x0031 where next.starts(with: "GA94".utf8) || next.starts(with: "DTG1".utf8):
      return .atsc(ATSCUserData())
    case 0x003c where next.starts(with: [0, 1, 4]) && next.dropFirst(3).first ?? 2 <= 1:
      return .hdr10Plus(DynamicHDRMetadata())
    case 0x003b where next.starts(with: [0, 0, 8, 0]): return .dolbyVision([])
    default: return .other([])
    }
  }
}
