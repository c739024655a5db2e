// SPDX-License-Identifier: MIT

public import ApusBytes

/// The placement of a picture: ISO/IEC 14496-12, 6.2.2. A point (p, q) becomes (ap + cq + x, bp + dq + y), divided by
/// up + vq + w.
public struct TransformationMatrix: SyntaxStructure, Hashable {
  public var a: Int32 = 0x10000
  public var b: Int32 = 0
  public var u: Int32 = 0
  public var c: Int32 = 0
  public var d: Int32 = 0x10000
  public var v: Int32 = 0
  public var x: Int32 = 0
  public var y: Int32 = 0
  public var w: Int32 = 0x4000_0000

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ visitor: inout V) throws(SyntaxError) {
    try visitor.i(32, "a", &a, as: .signedFixed(16))
    try visitor.i(32, "b", &b, as: .signedFixed(16))
    try visitor.i(32, "u", &u, as: .signedFixed(30))
    try visitor.i(32, "c", &c, as: .signedFixed(16))
    try visitor.i(32, "d", &d, as: .signedFixed(16))
    try visitor.i(32, "v", &v, as: .signedFixed(30))
    try visitor.i(32, "x", &x, as: .signedFixed(16))
    try visitor.i(32, "y", &y, as: .signedFixed(16))
    try visitor.i(32, "w", &w, as: .signedFixed(30))
  }
}
