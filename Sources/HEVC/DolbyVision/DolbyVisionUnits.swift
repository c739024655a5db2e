// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The Dolby Vision data among the NAL units of one picture: a reference processing unit (type 62), and the enhancement
/// layer, whose NAL units are contained in units of type 63.
public struct DolbyVisionUnits: Sendable {
  /// The profile, or the reason why it is unknown.
  public enum Profile: Hashable, Sendable {
    case known(UInt8)
    /// The profile is unknown; the words continue a sentence that begins with "the RPUs".
    case unknown(String)
  }

  /// The number of reference processing units.
  public private(set) var count = 0
  /// Whether a NAL unit of an enhancement layer was added.
  public private(set) var hasEnhancementLayer = false
  /// The first reference processing unit, including emulation prevention bytes.
  private var first: [UInt8] = []

  public init() {}

  /// Creates the data from all NAL units of a picture, without start codes or lengths.
  public init(_ nalUnits: [[UInt8]]) {
    for nalUnit in nalUnits { add(nalUnit) }
  }

  /// Adds a NAL unit of the picture; those of other types are ignored.
  public mutating func add(_ nalUnit: [UInt8]) {
    switch NALUnitHeader(of: nalUnit)?.nalUnitType {
    case .unspec62:
      if count == 0 { first = nalUnit }
      count += 1
    case .unspec63: hasEnhancementLayer = true
    default: break
    }
  }

  /// Whether the first unit is certainly a reference processing unit: NAL units of this type are unspecified.
  public var isReadable: Bool {
    NALUnit<ReferenceProcessingUnit>(first).payload?.rpuType == ReferenceProcessingUnit.knownType
  }

  /// Returns the profile of a stream whose base layer has this bit depth; `nil` without a reference processing unit.
  public func profile(bitDepth: Int) -> Profile? {
    guard first.dropFirst(NALUnitHeader.size).first == ReferenceProcessingUnit.prefix else {
      return nil
    }
    let unit = NALUnit<ReferenceProcessingUnit>(first)
    guard let rpu = unit.payload else {
      return .unknown("cannot be read: \(unit.failure?.message ?? "")")
    }
    guard rpu.rpuType == ReferenceProcessingUnit.knownType else {
      return .unknown("are of type \(rpu.rpuType), which is not known")
    }
    guard rpu.hasLayerInformation else { return .unknown("say nothing of the layers") }
    let bits = Int(rpu.blBitDepthMinus8) + 8
    guard bits == bitDepth else {
      return .unknown(
        "are for pictures of \(bits) bits, the sequence parameter set says \(bitDepth)")
    }
    guard bitDepth == 10, (8...14).contains(Int(rpu.vdrBitDepthMinus8) + 8) else {
      return .unknown("are for pictures of a depth that no profile has")
    }
    switch (rpu.vdrRPUProfile, rpu.disableResidualFlag, hasEnhancementLayer) {
    case (0, true, false) where rpu.blVideoFullRangeFlag: return .known(5)
    case (1, true, false) where !rpu.elSpatialResamplingFilterFlag: return .known(8)
    case (1, false, true) where rpu.vdrBitDepthMinus8 == 4: return .known(7)
    case (1, false, false):
      return .unknown("are for an enhancement layer (profile 4 or 7), of which there is none")
    case (_, true, true):
      return .unknown("use no enhancement layer, of which there is one")
    default: return .unknown("are of no profile that is known here")
    }
  }
}
