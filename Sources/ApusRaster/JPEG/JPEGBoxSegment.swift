// SPDX-License-Identifier: MIT

package import ApusBytes

/// A part of a box in an application segment (`APP11`): ISO/IEC 18477-3, B.
package struct JPEGBoxSegment: SyntaxStructure {
  package static let identifier = Array("JP".utf8)
  private var identifier = Self.identifier
  /// The number of the box among those of its type.
  package var instance: UInt16 = 1
  /// The number of the part, from 1.
  package var sequence: UInt32 = 1
  private var size: UInt32 = 8
  package var type: FourCC = "jumb"
  private var largeSize: UInt64 = 0
  package var payload = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("CI", &identifier, count: 2, .text)
    try v.u(16, "En", &instance)
    try v.u(32, "Z", &sequence)
    // Each part repeats the header of the box.
    try v.u(32, "LBox", &size)
    try v.u(32, "TBox", &type)
    if size == 1 { try v.u(64, "XLBox", &largeSize) }
    try v.extent("payload", &payload, count: nil)
  }

  /// The key that the parts of one box share.
  package var key: UInt64 { UInt64(instance) << 32 | UInt64(type.code) }

  /// The size of the header of the box.
  package var headerCount: Int { size == 1 ? 16 : 8 }
}
