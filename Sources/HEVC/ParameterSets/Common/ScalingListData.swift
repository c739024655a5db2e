// SPDX-License-Identifier: MIT

public import ApusBytes

/// Quantization factors (`scaling_list_data()`): ITU-T H.265, 7.3.4.
public struct ScalingListData: SyntaxStructure, Hashable {
  /// The lists of 4×4, 8×8, 16×16 and 32×32 blocks: two of the last size, six of the others.
  public var sizes: [[List]] = []

  public init() {}

  /// A list, coded or predicted from an earlier one.
  public struct List: Blank, Hashable, Sendable {
    public var predModeFlag = false
    public var predMatrixIDDelta: UInt8 = 0
    public var dcCoefMinus8: Int16 = 0
    public var deltaCoefs: [Int16] = []
    public init() {}

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V, size: Int, index: Int)
      throws(SyntaxError)
    {
      try v.flag("scaling_list_pred_mode_flag", &predModeFlag)
      guard predModeFlag else {
        let furthest = UInt8(clamping: size == 3 ? index / 3 : index)
        return try v.ue("scaling_list_pred_matrix_id_delta", &predMatrixIDDelta, in: 0...furthest)
      }
      if size > 1 { try v.se("scaling_list_dc_coef_minus8", &dcCoefMinus8, in: -7...247) }
      let count = size == 0 ? 16 : 64
      try v.list("scaling_list_delta_coef", &deltaCoefs, count: count) {
        delta, v throws(SyntaxError) in
        try v.se("scaling_list_delta_coef", &delta, in: -128...127)
      }
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.indexed("size", &sizes, count: 4) { size, lists, v throws(SyntaxError) in
      try v.indexed("matrix", &lists, count: size == 3 ? 2 : 6) {
        index, list, v throws(SyntaxError) in
        try list.syntax(&v, size: size, index: size == 3 ? index * 3 : index)
      }
    }
  }
}
