// SPDX-License-Identifier: MIT

public import ApusBytes

/// Compact sample to group (`csgp`): ISO/IEC 14496-12, 8.9.5. Its flags state the width of the fields.
public struct CompactSampleToGroup: FullBox {
  public static let types: [FourCC] = ["csgp"]
  public var header = FullBoxHeader()
  public var groupingType: FourCC = "roll"
  public var groupingTypeParameter: UInt32 = 0
  public var patterns: [Pattern] = []
  /// The groups of the samples of each pattern.
  public var indices: [[UInt32]] = []
  /// The four bits of padding, if the fields do not end at a byte boundary.
  public var padding: UInt8 = 0

  /// A pattern of groups, which is repeated for a number of samples.
  public struct Pattern: Blank, Hashable, Sendable {
    public var length: UInt32 = 0
    public var sampleCount: UInt32 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let indexBits = bits(code: flags)
    let countBits = bits(code: flags >> 2)
    let patternBits = bits(code: flags >> 4)
    try v.u(32, "grouping_type", &groupingType)
    if flags & 0x40 != 0 { try v.u(32, "grouping_type_parameter", &groupingTypeParameter) }
    let count = try v.count(32, "pattern_count", patterns.count)
    try v.list("patterns", &patterns, count: count) { pattern, v throws(SyntaxError) in
      try v.u(patternBits, "pattern_length", &pattern.length)
      try v.u(countBits, "sample_count", &pattern.sampleCount)
    }
    var bitCount = patterns.count * (patternBits + countBits)
    var lengths = patterns.map { Int($0.length) }.makeIterator()
    try v.list("sample_group_description_indices", &indices, count: count) {
      row, v throws(SyntaxError) in
      try v.values(
        indexBits, "sample_group_description_index", &row, count: lengths.next() ?? 0)
      bitCount += row.count * indexBits
    }
    if bitCount % 8 != 0 { try v.u(4, "padding", &padding) }
  }

  private func bits(code: UInt32) -> Int { 4 << Int(code & 3) }
}
