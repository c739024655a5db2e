// SPDX-License-Identifier: MIT

public import ApusBytes

/// The meaning of a depth picture's samples (depth representation information): ITU-T H.265, G.14.2.3.
public struct DepthRepresentation: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 177

  public var nearest: Element?
  public var farthest: Element?
  public var leastDisparity: Element?
  public var greatestDisparity: Element?
  /// The type: 0 for inverse distance, 1 for disparity, 2 for distance, each in even steps; 3 for disparity in steps of
  /// a table.
  public var type: UInt32 = 0
  public var disparityReferenceViewID: UInt32 = 0
  public var nonlinearModel: [UInt32] = []

  public init() {}

  /// A real number (`depth_rep_info_element()`): G.14.2.3.
  public struct Element: SyntaxStructure, Hashable {
    public var isNegative = false
    public var exponent: UInt8 = 0
    public var mantissaLengthMinus1: UInt8 = 0
    public var mantissa: UInt32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("da_sign_flag", &isNegative)
      try v.u(7, "da_exponent", &exponent)
      try v.u(5, "da_mantissa_len_minus1", &mantissaLengthMinus1)
      try v.u(Int(mantissaLengthMinus1) + 1, "da_mantissa", &mantissa)
    }

    /// The value; `nil` for the exponent 127, which means that there is no number.
    public var value: Double? {
      guard exponent < 127 else { return nil }
      let length = Int(mantissaLengthMinus1) + 1
      let fraction = Double(mantissa) / Double(1 << length)
      let value =
        exponent == 0
        ? fraction * power(-30) : (1 + fraction) * power(Int(exponent) - 31)
      return isNegative ? -value : value
    }

    private func power(_ exponent: Int) -> Double {
      Double(sign: .plus, exponent: exponent, significand: 1)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var flags = [nearest, farthest, leastDisparity, greatestDisparity].map { $0 != nil }
    try v.flag("z_near_flag", &flags[0])
    try v.flag("z_far_flag", &flags[1])
    try v.flag("d_min_flag", &flags[2])
    try v.flag("d_max_flag", &flags[3])
    try v.ue("depth_representation_type", &type)
    if flags[2] || flags[3] { try v.ue("disparity_ref_view_id", &disparityReferenceViewID) }
    try Self.element("z_near", flags[0], &nearest, &v)
    try Self.element("z_far", flags[1], &farthest, &v)
    try Self.element("d_min", flags[2], &leastDisparity, &v)
    try Self.element("d_max", flags[3], &greatestDisparity, &v)
    guard type == 3 else { return }
    var count = UInt32(clamping: max(nonlinearModel.count - 1, 0))
    try v.ue("depth_nonlinear_representation_num_minus1", &count)
    guard count < 1 << 16 else {
      throw v.failure(
        .limit, "depth_nonlinear_representation_num_minus1", "is \(count), at most 65535 are read")
    }
    try v.list("depth_nonlinear_representation_model", &nonlinearModel, count: Int(count) + 1) {
      value, v throws(SyntaxError) in
      try v.ue("depth_nonlinear_representation_model", &value)
    }
  }

  private static func element<V: SyntaxVisitor>(
    _ name: StaticString, _ isThere: Bool, _ element: inout Element?, _ v: inout V
  ) throws(SyntaxError) {
    guard isThere else {
      element = nil
      return
    }
    var value = element ?? Element()
    try v.group(name, &value)
    element = value
  }
}
