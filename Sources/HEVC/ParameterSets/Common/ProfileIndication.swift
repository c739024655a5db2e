// SPDX-License-Identifier: MIT

public import ApusBytes

/// The 88 bits that describe a profile, of the whole sequence (`general_…`) or of a sub-layer (`sub_layer_…`): ITU-T
/// H.265, 7.3.3.
public struct ProfileIndication: SyntaxStructure, Hashable {
  public var profileSpace: UInt8 = 0
  public var tierFlag = false
  public var profileIDC: UInt8 = 0
  /// The compatibility flags; flag j is bit 31 − j.
  public var profileCompatibilityFlags: UInt32 = 0
  public var progressiveSourceFlag = false
  public var interlacedSourceFlag = false
  public var nonPackedConstraintFlag = false
  public var frameOnlyConstraintFlag = false
  public var max12bitConstraintFlag = false
  public var max10bitConstraintFlag = false
  public var max8bitConstraintFlag = false
  public var max422chromaConstraintFlag = false
  public var max420chromaConstraintFlag = false
  public var maxMonochromeConstraintFlag = false
  public var intraConstraintFlag = false
  public var onePictureOnlyConstraintFlag = false
  public var lowerBitRateConstraintFlag = false
  public var max14bitConstraintFlag = false
  /// The bits that this profile reserves, which depend on the profile.
  public var reservedZeroBits: UInt64 = 0
  /// The reserved bits of Main 10 that precede `one_picture_only_constraint_flag`.
  public var reservedZero7bits: UInt8 = 0
  public var inbldFlag = false
  public var reservedZeroBit = false

  public init() {}

  /// Returns whether the profile is `number` or is marked as compatible with it.
  public func conforms(to number: UInt8) -> Bool {
    profileIDC == number
      || (number < 32 && profileCompatibilityFlags & (0x8000_0000 >> UInt32(number)) != 0)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, isGeneral: true)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, isGeneral: Bool) throws(SyntaxError) {
    let names = isGeneral ? Names.general : Names.subLayer
    try v.u(2, names.profileSpace, &profileSpace)
    try v.u(1, names.tierFlag, &tierFlag)
    try v.u(5, names.profileIDC, &profileIDC)
    try v.u(32, names.profileCompatibilityFlag, &profileCompatibilityFlags, as: .hex)
    try v.u(1, names.progressiveSourceFlag, &progressiveSourceFlag)
    try v.u(1, names.interlacedSourceFlag, &interlacedSourceFlag)
    try v.u(1, names.nonPackedConstraintFlag, &nonPackedConstraintFlag)
    try v.u(1, names.frameOnlyConstraintFlag, &frameOnlyConstraintFlag)
    if (4...11).contains(where: conforms) {
      try v.u(1, names.max12bit, &max12bitConstraintFlag)
      try v.u(1, names.max10bit, &max10bitConstraintFlag)
      try v.u(1, names.max8bit, &max8bitConstraintFlag)
      try v.u(1, names.max422chroma, &max422chromaConstraintFlag)
      try v.u(1, names.max420chroma, &max420chromaConstraintFlag)
      try v.u(1, names.maxMonochrome, &maxMonochromeConstraintFlag)
      try v.u(1, names.intra, &intraConstraintFlag)
      try v.u(1, names.onePictureOnly, &onePictureOnlyConstraintFlag)
      try v.u(1, names.lowerBitRate, &lowerBitRateConstraintFlag)
      if [5, 9, 10, 11].contains(where: conforms) {
        try v.u(1, names.max14bit, &max14bitConstraintFlag)
        try v.u(33, names.reservedZero33bits, &reservedZeroBits, as: .hex)
      } else {
        try v.u(34, names.reservedZero34bits, &reservedZeroBits, as: .hex)
      }
    } else if conforms(to: 2) {
      try v.u(7, names.reservedZero7bits, &reservedZero7bits, as: .hex)
      try v.u(1, names.onePictureOnly, &onePictureOnlyConstraintFlag)
      try v.u(35, names.reservedZero35bits, &reservedZeroBits, as: .hex)
    } else {
      try v.u(43, names.reservedZero43bits, &reservedZeroBits, as: .hex)
    }
    if [1, 2, 3, 4, 5, 9, 11].contains(where: conforms) {
      try v.u(1, names.inbldFlag, &inbldFlag)
    } else {
      try v.u(1, names.reservedZeroBit, &reservedZeroBit)
    }
  }

  /// The six bytes after the compatibility flags, as in a configuration record.
  public var constraintIndicatorFlags: UInt64 {
    var copy = self
    var writer = SyntaxWriter(ArraySink())
    guard (try? copy.syntax(&writer)) != nil else { return 0 }
    return UInt64(bigEndianBytes: writer.sink.bytes.dropFirst(5))
  }
}
