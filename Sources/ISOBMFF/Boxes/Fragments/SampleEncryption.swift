// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample encryption (`senc`): ISO/IEC 23001-7, 7.2. The length of an initialization vector is stated in `tenc` or
/// `seig`, which may be in another file, so the entries are kept as one range of bytes. Flag 2: with subsamples.
public struct SampleEncryption: FullBox {
  public static let types: [FourCC] = ["senc"]
  public var header = FullBoxHeader()
  public var sampleCount: UInt32 = 0
  public var entries = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sample_count", &sampleCount)
    try v.extent("entries", &entries, count: nil)
  }
}
