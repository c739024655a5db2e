// SPDX-License-Identifier: MIT

public import ApusBytes

/// The payload of a `grid` item: ISO/IEC 23008-12, 6.6.2.3.2.
public struct ImageGrid: SyntaxStructure, Hashable {
  public var version: UInt8 = 0
  /// The flags; bit 0 means that the sides have 32 bits instead of 16.
  public var flags: UInt8 = 0
  public var rowsMinusOne: UInt8 = 0
  public var columnsMinusOne: UInt8 = 0
  public var outputWidth: UInt32 = 0
  public var outputHeight: UInt32 = 0

  public init() {}

  /// The number of rows of tiles.
  public var rows: Int { Int(rowsMinusOne) + 1 }
  /// The number of tiles in a row.
  public var columns: Int { Int(columnsMinusOne) + 1 }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "version", &version)
    guard version == 0 else {
      throw v.failure(.unsupported, "version", "is \(version) instead of 0")
    }
    try v.u(8, "flags", &flags, as: .hex)
    try v.u(8, "rows_minus_one", &rowsMinusOne)
    try v.u(8, "columns_minus_one", &columnsMinusOne)
    let bits = flags & 1 == 1 ? 32 : 16
    try v.u(bits, "output_width", &outputWidth)
    try v.u(bits, "output_height", &outputHeight)
  }
}
