// SPDX-License-Identifier: MIT

public import ApusBytes

/// The description of a sequence's auxiliary pictures (`seq_parameter_set_extension_rbsp`): ITU-T H.264, 7.3.2.1.2.
public struct AVCSequenceExtension: SyntaxStructure, Hashable {
  /// The value `seq_parameter_set_id`.
  public var id: UInt8 = 0
  public var auxFormatIDC: UInt8 = 0
  public var bitDepthAuxMinus8: UInt8 = 0
  public var alphaIncrFlag = false
  public var alphaOpaqueValue: UInt16 = 0
  public var alphaTransparentValue: UInt16 = 0
  public var additionalExtensionFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("seq_parameter_set_id", &id, in: 0...31)
    try v.ue("aux_format_idc", &auxFormatIDC, in: 0...3)
    if auxFormatIDC != 0 {
      try v.ue("bit_depth_aux_minus8", &bitDepthAuxMinus8, in: 0...4)
      try v.flag("alpha_incr_flag", &alphaIncrFlag)
      try v.u(Int(bitDepthAuxMinus8) + 9, "alpha_opaque_value", &alphaOpaqueValue)
      try v.u(Int(bitDepthAuxMinus8) + 9, "alpha_transparent_value", &alphaTransparentValue)
    }
    try v.flag("additional_extension_flag", &additionalExtensionFlag)
  }
}
