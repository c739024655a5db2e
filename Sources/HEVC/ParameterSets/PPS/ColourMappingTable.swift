// SPDX-License-Identifier: MIT

public import ApusBytes

/// `colour_mapping_table()`: ITU-T H.265, F.7.3.2.3.5.
public struct ColourMappingTable: SyntaxStructure, Hashable {
  public var cmRefLayerIDs: [UInt8] = []
  public var cmOctantDepth: UInt8 = 0
  public var cmYPartNumLog2: UInt8 = 0
  public var lumaBitDepthCMInputMinus8: UInt8 = 0
  public var chromaBitDepthCMInputMinus8: UInt8 = 0
  public var lumaBitDepthCMOutputMinus8: UInt8 = 0
  public var chromaBitDepthCMOutputMinus8: UInt8 = 0
  public var cmResQuantBits: UInt8 = 0
  public var cmDeltaFLCBitsMinus1: UInt8 = 0
  public var cmAdaptThresholdUDelta: Int16 = 0
  public var cmAdaptThresholdVDelta: Int16 = 0
  public var octants = ColourMappingOctant()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.ueCount(
      "num_cm_ref_layers_minus1", cmRefLayerIDs.count, minus: 1, in: 0...61)
    try v.values(6, "cm_ref_layer_id", &cmRefLayerIDs, count: count)
    try v.u(2, "cm_octant_depth", &cmOctantDepth)
    try v.u(2, "cm_y_part_num_log2", &cmYPartNumLog2)
    try v.ue("luma_bit_depth_cm_input_minus8", &lumaBitDepthCMInputMinus8, in: 0...8)
    try v.ue("chroma_bit_depth_cm_input_minus8", &chromaBitDepthCMInputMinus8, in: 0...8)
    try v.ue("luma_bit_depth_cm_output_minus8", &lumaBitDepthCMOutputMinus8, in: 0...8)
    try v.ue("chroma_bit_depth_cm_output_minus8", &chromaBitDepthCMOutputMinus8, in: 0...8)
    try v.u(2, "cm_res_quant_bits", &cmResQuantBits)
    try v.u(2, "cm_delta_flc_bits_minus1", &cmDeltaFLCBitsMinus1)
    if cmOctantDepth == 1 {
      try v.se("cm_adapt_threshold_u_delta", &cmAdaptThresholdUDelta)
      try v.se("cm_adapt_threshold_v_delta", &cmAdaptThresholdVDelta)
    }
    let shape = ColourMappingOctant.Shape(
      depth: cmOctantDepth, parts: 1 << Int(cmYPartNumLog2), remainderBits: remainderBits)
    try v.group("colour_mapping_octants") { v throws(SyntaxError) in
      try octants.syntax(&v, shape, depth: 0)
    }
  }

  /// `CMResLSBits`.
  private var remainderBits: Int {
    max(
      0,
      10 + Int(lumaBitDepthCMInputMinus8) - Int(lumaBitDepthCMOutputMinus8) - Int(cmResQuantBits)
        - Int(cmDeltaFLCBitsMinus1) - 1)
  }
}

/// `colour_mapping_octants()`, which contains eight octants or the coefficients: F.7.3.2.3.6.
public struct ColourMappingOctant: Blank, Hashable, Sendable {
  public var splitOctantFlag = false
  public var octants: [ColourMappingOctant] = []
  /// The vertices of each part.
  public var parts: [[Vertex]] = []

  public init() {}

  struct Shape {
    var depth: UInt8
    var parts: Int
    var remainderBits: Int
  }

  /// The coefficients at a vertex of a part.
  public struct Vertex: Blank, Hashable, Sendable {
    public var codedResFlag = false
    public var coefficients: [Coefficient] = []
    public init() {}
  }

  /// A coefficient: its quotient, remainder and sign.
  public struct Coefficient: Blank, Hashable, Sendable {
    public var resCoeffQ: UInt32 = 0
    public var resCoeffR: UInt32 = 0
    public var resCoeffS = false
    public init() {}
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ shape: Shape, depth: UInt8)
    throws(SyntaxError)
  {
    if depth < shape.depth { try v.flag("split_octant_flag", &splitOctantFlag) }
    guard !splitOctantFlag else {
      return try v.list("octants", &octants, count: 8) { octant, v throws(SyntaxError) in
        try octant.syntax(&v, shape, depth: depth + 1)
      }
    }
    try v.list("parts", &parts, count: shape.parts) { part, v throws(SyntaxError) in
      try v.list("vertices", &part, count: 4) { vertex, v throws(SyntaxError) in
        try v.flag("coded_res_flag", &vertex.codedResFlag)
        guard vertex.codedResFlag else { return }
        try v.list("res_coeff", &vertex.coefficients, count: 3) { c, v throws(SyntaxError) in
          try v.ue("res_coeff_q", &c.resCoeffQ)
          try v.u(shape.remainderBits, "res_coeff_r", &c.resCoeffR)
          if c.resCoeffQ != 0 || c.resCoeffR != 0 { try v.flag("res_coeff_s", &c.resCoeffS) }
        }
      }
    }
  }
}
