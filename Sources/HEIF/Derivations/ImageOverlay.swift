// SPDX-License-Identifier: MIT

public import ApusBytes

/// The payload of an `iovl` item: ISO/IEC 23008-12, 6.6.2.2.2.
public struct ImageOverlay: SyntaxStructure, Hashable {
  public var version: UInt8 = 0
  /// The flags; bit 0 means that sides and offsets have 32 bits instead of 16.
  public var flags: UInt8 = 0
  /// The red, green, blue and alpha of the canvas.
  public var canvasFillValues: [UInt16] = [0, 0, 0, 0]
  public var outputWidth: UInt32 = 0
  public var outputHeight: UInt32 = 0
  /// The offsets of the overlaid pictures.
  public var offsets: [Offset] = []

  /// The position of an overlaid picture on the canvas.
  public struct Offset: Blank, Hashable, Sendable {
    /// The distance from the left edge of the canvas in samples; negative for a picture that begins outside it.
    public var horizontal: Int32 = 0
    /// The distance from the top edge of the canvas in samples; negative for a picture that begins outside it.
    public var vertical: Int32 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "version", &version)
    guard version == 0 else {
      throw v.failure(.unsupported, "version", "is \(version) instead of 0")
    }
    try v.u(8, "flags", &flags, as: .hex)
    try v.values(16, "canvas_fill_value", &canvasFillValues, count: 4)
    let bits = flags & 1 == 1 ? 32 : 16
    try v.u(bits, "output_width", &outputWidth)
    try v.u(bits, "output_height", &outputHeight)
    try v.list("offsets", &offsets, count: nil) { offset, v throws(SyntaxError) in
      try v.i(bits, "horizontal_offset", &offset.horizontal)
      try v.i(bits, "vertical_offset", &offset.vertical)
    }
  }
}
