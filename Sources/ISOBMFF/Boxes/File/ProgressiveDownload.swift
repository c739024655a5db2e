// SPDX-License-Identifier: MIT

public import ApusBytes

/// Progressive download information (`pdin`): ISO/IEC 14496-12, 8.1.3.
public struct ProgressiveDownload: FullBox {
  public static let types: [FourCC] = ["pdin"]
  public var header = FullBoxHeader()
  /// The download rates in bytes per second, with the milliseconds to wait at that rate.
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.table(
      "entries", &entries, columns: [.init("rate", 32), .init("initial_delay", 32)], count: nil)
  }
}
