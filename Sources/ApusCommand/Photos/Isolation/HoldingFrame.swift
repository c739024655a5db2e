// SPDX-License-Identifier: MIT

import ApusBytes
import ApusStills

/// A report of a worker process about data that are not in the outputs.
struct HoldingFrame: SyntaxStructure {
  private var kind: UInt8 = 0
  private var number: UInt64 = 0
  private var names: [FrameText] = []

  init() {}
  init(_ holding: SourceHolding) {
    kind = UInt8(clamping: SourceHolding.Kind.allCases.firstIndex(of: holding.kind) ?? 0)
    number = UInt64(clamping: holding.count)
    names = holding.names.map(FrameText.init)
  }

  /// A kind that is not known is the picture itself, so that the source stays.
  var holding: SourceHolding {
    let kinds = SourceHolding.Kind.allCases
    return SourceHolding(
      Int(kind) < kinds.count ? kinds[Int(kind)] : .picture, count: Int(clamping: number),
      names: names.map(\.text))
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "kind", &kind)
    try v.u(64, "count", &number)
    try v.list("names", &names, count: v.count(32, "name_count", names.count))
  }
}
