// SPDX-License-Identifier: MIT

package import ApusBytes

/// The first fields of a frame header: ITU-T T.81, B.2.2.
package struct JPEGFrameSize: SyntaxStructure, Hashable {
  package static let size = 6
  package var precision: UInt8 = 8
  package var lines: UInt16 = 0
  package var samplesPerLine: UInt16 = 0
  package var componentCount: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "P", &precision)
    try v.u(16, "Y", &lines)
    try v.u(16, "X", &samplesPerLine)
    try v.u(8, "Nf", &componentCount)
  }
}

/// A frame header (`SOF0` to `SOF15`): ITU-T T.81, B.2.2.
package struct JPEGFrameHeader: SyntaxStructure, Hashable {
  package struct Component: SyntaxStructure, Hashable {
    package var identifier: UInt8 = 0
    package var across: UInt8 = 1
    package var down: UInt8 = 1
    var table: UInt8 = 0

    package init() {}

    package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "C", &identifier)
      try v.u(4, "H", &across)
      try v.u(4, "V", &down)
      try v.u(8, "Tq", &table)
    }
  }

  package var size = JPEGFrameSize()
  package var components: [Component] = []

  package init() {}

  /// The number of bytes with this number of components.
  package var byteCount: Int { JPEGFrameSize.size + 3 * components.count }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try size.syntax(&v)
    try v.list("components", &components, count: Int(size.componentCount))
  }
}
