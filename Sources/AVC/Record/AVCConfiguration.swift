// SPDX-License-Identifier: MIT

public import ApusBytes

/// An AVC decoder configuration record (`avcC`): ISO/IEC 14496-15, 5.3.3.1.
public struct AVCConfiguration: SyntaxStructure, Hashable {
  public var configurationVersion: UInt8 = 1
  public var profileIndication: UInt8 = 0
  public var profileCompatibility: UInt8 = 0
  public var levelIndication: UInt8 = 0
  public var reserved1: UInt8 = 0b11_1111
  public var lengthSizeMinusOne: UInt8 = 3
  public var reserved2: UInt8 = 0b111
  public var sequenceParameterSets: [[UInt8]] = []
  public var pictureParameterSets: [[UInt8]] = []
  /// The fields for the High profiles, which many writers omit.
  public var highProfile: HighProfile?

  /// The profiles whose records end after the parameter sets.
  static let profilesWithoutFormat: Set<UInt8> = [66, 77, 88]

  /// The sample format and the extensions of sequence parameter sets, for the High profiles.
  public struct HighProfile: SyntaxStructure, Hashable {
    public var reserved1: UInt8 = 0b11_1111
    public var chromaFormat: UInt8 = 1
    public var reserved2: UInt8 = 0b1_1111
    public var bitDepthLumaMinus8: UInt8 = 0
    public var reserved3: UInt8 = 0b1_1111
    public var bitDepthChromaMinus8: UInt8 = 0
    public var sequenceParameterSetExtensions: [[UInt8]] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(6, "reserved", &reserved1)
      try v.u(2, "chroma_format", &chromaFormat)
      try v.u(5, "reserved", &reserved2)
      try v.u(3, "bit_depth_luma_minus8", &bitDepthLumaMinus8)
      try v.u(5, "reserved", &reserved3)
      try v.u(3, "bit_depth_chroma_minus8", &bitDepthChromaMinus8)
      let count = try v.count(
        8, "numOfSequenceParameterSetExt", sequenceParameterSetExtensions.count)
      try v.nalUnits("sequenceParameterSetExt", &sequenceParameterSetExtensions, count: count)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    try v.u(8, "AVCProfileIndication", &profileIndication)
    try v.u(8, "profile_compatibility", &profileCompatibility, as: .hex)
    try v.u(8, "AVCLevelIndication", &levelIndication)
    try v.u(6, "reserved", &reserved1)
    try v.u(2, "lengthSizeMinusOne", &lengthSizeMinusOne)
    try v.u(3, "reserved", &reserved2)
    let sequenceCount = try v.count(5, "numOfSequenceParameterSets", sequenceParameterSets.count)
    try v.nalUnits("sequenceParameterSets", &sequenceParameterSets, count: sequenceCount)
    let pictureCount = try v.count(8, "numOfPictureParameterSets", pictureParameterSets.count)
    try v.nalUnits("pictureParameterSets", &pictureParameterSets, count: pictureCount)
    // The standard lists 100, 110, 122 and 144; writers also do it for 244 and later profiles.
    if v.isReading, !Self.profilesWithoutFormat.contains(profileIndication), v.remaining >= 4 {
      highProfile = HighProfile()
    }
    try highProfile?.syntax(&v)
  }
}

extension AVCConfiguration {
  /// Reads a record.
  public init(_ bytes: [UInt8]) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(MemorySource(bytes))
    try syntax(&reader)
  }

  /// Returns the body of an `avcC` box.
  public func bytes() throws(SyntaxError) -> [UInt8] { try encoded() }

  /// The first sequence parameter set; `nil` if there is none that can be read.
  public var firstSequence: AVCSequenceParameterSet? {
    guard let unit = sequenceParameterSets.first else { return nil }
    return try? AVCSequenceParameterSet(nalUnit: unit)
  }

  /// The sequence parameter sets, keyed by ID; unreadable sets are skipped.
  public var sequences: [UInt8: AVCSequenceParameterSet] {
    var sets: [UInt8: AVCSequenceParameterSet] = [:]
    for unit in sequenceParameterSets {
      do throws(SyntaxError) {
        let set = try AVCSequenceParameterSet(nalUnit: unit)
        sets[set.id] = set
      } catch {
        continue
      }
    }
    return sets
  }

  /// The sequence parameter sets, then the picture parameter sets.
  public var parameterSets: [[UInt8]] { sequenceParameterSets + pictureParameterSets }
}

extension SyntaxVisitor {
  /// Visits NAL units, each after its length in 16 bits.
  fileprivate mutating func nalUnits(_ name: StaticString, _ units: inout [[UInt8]], count: Int)
    throws(SyntaxError)
  {
    try list(name, &units, count: count) { unit, v throws(SyntaxError) in
      let length = try v.count(16, "nalUnitLength", unit.count)
      try v.bytes("nalUnit", &unit, count: length)
    }
  }
}
