// SPDX-License-Identifier: MIT

public import Bytes

/// What an H.264 NAL unit holds (`nal_unit_type`): ITU-T H.264, Table 7-1.
public struct AVCNALUnitType: FieldCoded, Hashable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init() { self = .slice }
  public static var kind: FieldKind { .unsigned }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }

  public static let slice = Self(rawValue: 1)
  /// The first part of a slice whose data are partitioned.
  public static let partitionA = Self(rawValue: 2)
  public static let idr = Self(rawValue: 5)
  public static let sei = Self(rawValue: 6)
  public static let sps = Self(rawValue: 7)
  public static let pps = Self(rawValue: 8)
  public static let delimiter = Self(rawValue: 9)
  public static let spsExtension = Self(rawValue: 13)

  /// Whether it is a parameter set that a decoder configuration record holds.
  public var isParameterSet: Bool { self == .sps || self == .pps || self == .spsExtension }

  /// Whether it begins with a slice header, as a whole slice and the first part of a partitioned one do.
  public var startsSlice: Bool { self == .slice || self == .partitionA || self == .idr }
}

extension Collection<UInt8> {
  /// The type of this H.264 NAL unit; `nil` when it is empty.
  package var avcNALUnitType: AVCNALUnitType? { AVCNALUnitHeader(of: self)?.nalUnitType }
}
