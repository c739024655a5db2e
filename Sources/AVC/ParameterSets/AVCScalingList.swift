// SPDX-License-Identifier: MIT

public import ApusBytes

/// A scaling list as coded differences: ITU-T H.264, 7.3.2.1.1.1.
public struct AVCScalingList: Blank, Hashable, Sendable {
  /// Whether the list is coded; otherwise another list replaces it.
  public var isPresent = false
  /// The coded `delta_scale` values; after one that makes the next scale 0, the last scale is repeated.
  public var deltas: [Int8] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ name: StaticString, size: Int)
    throws(SyntaxError)
  {
    try v.flag(name, &isPresent)
    guard isPresent else { return }
    if v.isReading { deltas = [] }
    var (last, next, index) = (8, 8, 0)
    while index < size, next != 0 {
      var delta = v.isReading || index >= deltas.count ? 0 : Int16(deltas[index])
      try v.se("delta_scale", &delta, in: -128...127)
      if v.isReading { deltas.append(Int8(delta)) }
      next = (last + Int(delta) + 256) % 256
      if next != 0 { last = next }
      index += 1
    }
  }
}

extension SyntaxVisitor {
  /// Visits six lists of 16 scales, then lists of 64, each after a flag with this name.
  mutating func scalingLists(
    _ name: StaticString, _ lists: inout [AVCScalingList], count: Int
  ) throws(SyntaxError) {
    var index = 0
    try list("scaling_list", &lists, count: count) { list, v throws(SyntaxError) in
      try list.syntax(&v, name, size: index < 6 ? 16 : 64)
      index += 1
    }
  }
}
