// SPDX-License-Identifier: MIT

public import ApusBytes

/// Album and track number (`albm`): 3GPP TS 26.244, 8.
public struct AlbumTitle: FullBox {
  public static let types: [FourCC] = ["albm"]
  public var header = FullBoxHeader()
  public var language = PaddedLanguage()
  public var albumTitle: Text = ""
  public var trackNumber: UInt8?

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try language.syntax(&v)
    try v.string("AlbumTitle", &albumTitle)
    if v.moreData(trackNumber != nil) {
      var number = trackNumber ?? 0
      try v.u(8, "TrackNumber", &number)
      trackNumber = number
    }
  }
}

/// Year of recording (`yrrc`): 3GPP TS 26.244, 8.
public struct RecordingYear: FullBox {
  public static let types: [FourCC] = ["yrrc"]
  public var header = FullBoxHeader()
  public var recordingYear: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "RecordingYear", &recordingYear)
  }
}

/// The place where something was recorded (`loci`): 3GPP TS 26.244, 8.
public struct LocationInformation: FullBox {
  public static let types: [FourCC] = ["loci"]
  public var header = FullBoxHeader()
  public var language = PaddedLanguage()
  public var name: Text = ""
  /// The role of the place: 0 shooting, 1 real, 2 fictional.
  public var role: UInt8 = 0
  /// The longitude in degrees, in 16.16 fixed point.
  public var longitude: Int32 = 0
  /// The latitude in degrees, in 16.16 fixed point.
  public var latitude: Int32 = 0
  /// The altitude in metres, in 16.16 fixed point.
  public var altitude: Int32 = 0
  public var astronomicalBody: Text = "earth"
  public var additionalNotes: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try language.syntax(&v)
    try v.text("Name", &name)
    try v.u(8, "Role", &role)
    try v.i(32, "Longitude", &longitude, as: .signedFixed(16))
    try v.i(32, "Latitude", &latitude, as: .signedFixed(16))
    try v.i(32, "Altitude", &altitude, as: .signedFixed(16))
    try v.text("Astronomical_body", &astronomicalBody)
    try v.text("Additional_notes", &additionalNotes)
  }
}

/// Keywords (`kywd`): 3GPP TS 26.244, 8; some writers store only text there.
public struct Keywords: Box {
  public static let types: [FourCC] = ["kywd"]
  public var header = FullBoxHeader()
  public var language = PaddedLanguage()
  public var keywords: [Keyword] = []
  /// The whole body, if it does not begin with version 0.
  public var plain: [UInt8]?

  /// A keyword.
  public struct Keyword: SyntaxStructure, Hashable {
    /// The keyword with its terminating zero.
    public var info: [UInt8] = []
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      let size = try v.count(8, "KeywordSize", info.count)
      try v.bytes("KeywordInfo", &info, count: size, .text)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading { plain = try v.peek(1) == [0] ? nil : [] }
    if var plain {
      try v.bytes("keywords", &plain, count: nil, .text)
      self.plain = plain
      return
    }
    try v.u(8, "version", &header.version)
    try v.u(24, "flags", &header.flags, as: .hex)
    try language.syntax(&v)
    let count = try v.count(8, "KeywordCnt", keywords.count)
    try v.list("keywords", &keywords, count: count)
  }
}

/// Classification (`clsf`): 3GPP TS 26.244, 8.
public struct Classification: FullBox {
  public static let types: [FourCC] = ["clsf"]
  public var header = FullBoxHeader()
  public var entity = FourCC()
  public var table: UInt16 = 0
  public var language = PaddedLanguage()
  public var info: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "ClassificationEntity", &entity)
    try v.u(16, "ClassificationTable", &table)
    try language.syntax(&v)
    try v.string("ClassificationInfo", &info)
  }
}

/// Rating (`rtng`): 3GPP TS 26.244, 8.
public struct Rating: FullBox {
  public static let types: [FourCC] = ["rtng"]
  public var header = FullBoxHeader()
  public var entity = FourCC()
  public var criteria = FourCC()
  public var language = PaddedLanguage()
  public var info: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "RatingEntity", &entity)
    try v.u(32, "RatingCriteria", &criteria)
    try language.syntax(&v)
    try v.string("RatingInfo", &info)
  }
}
