// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The header and size of an AV1 unit, which precede its payload (`obu_header`, `obu_size`): AV1 Bitstream & Decoding
/// Process Specification, 5.3.
struct AV1UnitHeader: SyntaxStructure {
  static let sequenceHeader: UInt8 = 1
  /// The types of units that are not stored in files: temporal delimiter, redundant frame header, tile list, padding.
  static let unstored: Set<UInt8> = [2, 7, 8, 15]

  var forbiddenBit = false
  var type: UInt8 = 0
  var hasExtension = false
  var hasSize = true
  var reserved = false
  var temporalID: UInt8 = 0
  var spatialID: UInt8 = 0
  var extensionReserved: UInt8 = 0
  var size: UInt32 = 0
  private var length = LEB128()

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("obu_forbidden_bit", &forbiddenBit)
    try v.u(4, "obu_type", &type)
    try v.flag("obu_extension_flag", &hasExtension)
    try v.flag("obu_has_size_field", &hasSize)
    try v.flag("obu_reserved_1bit", &reserved)
    if hasExtension {
      try v.u(3, "temporal_id", &temporalID)
      try v.u(2, "spatial_id", &spatialID)
      try v.u(3, "extension_header_reserved_3bits", &extensionReserved)
    }
    guard hasSize else { return }
    try length.syntax(&v, "obu_size")
    let number = length.value
    guard let known = UInt32(exactly: number) else {
      throw v.failure(.invalid, "obu_size", "of \(number) is beyond any input")
    }
    size = known
  }
}
