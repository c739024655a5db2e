// SPDX-License-Identifier: MIT

public import ApusBytes

/// The type of an H.264 NAL unit (`nal_unit_type`): ITU-T H.264, Table 7-1.
public struct AVCNALUnitType: FieldCoded, Hashable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The type in the first byte of a NAL unit.
  public init(firstByte: UInt8) { rawValue = firstByte.avcNALUnitType }
  public init() { self = .slice }
  public static var kind: FieldKind { .unsigned }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }

  /// A slice of a picture that is not an IDR picture.
  public static let slice = Self(rawValue: 1)
  /// The first part of a slice with data partitioning.
  public static let partitionA = Self(rawValue: 2)
  /// A slice of an IDR picture, at which a sequence begins.
  public static let idr = Self(rawValue: 5)
  /// Supplemental enhancement information.
  public static let sei = Self(rawValue: 6)
  /// A sequence parameter set.
  public static let sps = Self(rawValue: 7)
  /// A picture parameter set.
  public static let pps = Self(rawValue: 8)
  /// An access unit delimiter.
  public static let delimiter = Self(rawValue: 9)
  /// The extension of a sequence parameter set, for auxiliary pictures.
  public static let spsExtension = Self(rawValue: 13)

  /// The name in the standard, or the usual short form.
  public var name: String {
    switch rawValue {
    case 1: "slice"
    case 2: "slice data partition A"
    case 3: "slice data partition B"
    case 4: "slice data partition C"
    case 5: "IDR slice"
    case 6: "SEI"
    case 7: "SPS"
    case 8: "PPS"
    case 9: "access unit delimiter"
    case 10: "end of sequence"
    case 11: "end of stream"
    case 12: "filler data"
    case 13: "SPS extension"
    case 14: "prefix NAL unit"
    case 15: "subset SPS"
    case 16: "DPS"
    case 19: "auxiliary slice"
    case 20, 21: "slice extension"
    default: "NAL unit of type \(rawValue)"
    }
  }

  /// Whether it is a parameter set that a decoder configuration record contains.
  public var isParameterSet: Bool { self == .sps || self == .pps || self == .spsExtension }

  /// Whether it is a slice of a primary picture, or a part of one.
  public var isVCL: Bool { (1...5).contains(rawValue) }

  /// Whether it begins with a slice header, which is true of a whole slice and of the first part of a partitioned one.
  public var startsSlice: Bool { self == .slice || self == .partitionA || self == .idr }
}

extension Collection<UInt8> {
  /// The type of this H.264 NAL unit; `nil` if it is empty.
  package var avcNALUnitType: AVCNALUnitType? { AVCNALUnitHeader(of: self)?.nalUnitType }
}
