// SPDX-License-Identifier: MIT

package import ApusBytes

/// The extended header (`VP8X`): RFC 9649, 2.7.
package struct WebPExtendedHeader: SyntaxStructure {
  package static let size = 10
  private var reserved: UInt8 = 0
  package var hasProfile = false
  package var hasAlpha = false
  package var hasExif = false
  package var hasXMP = false
  private var isAnimated = false
  private var reserved2: UInt32 = 0
  private var widthMinusOne: UInt32 = 0
  private var heightMinusOne: UInt32 = 0

  package init() {}

  package var width: Int {
    get { Int(widthMinusOne) + 1 }
    set { widthMinusOne = UInt32(clamping: newValue - 1) }
  }
  package var height: Int {
    get { Int(heightMinusOne) + 1 }
    set { heightMinusOne = UInt32(clamping: newValue - 1) }
  }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "reserved", &reserved)
    try v.flag("ICC profile", &hasProfile)
    try v.flag("Alpha", &hasAlpha)
    try v.flag("Exif metadata", &hasExif)
    try v.flag("XMP metadata", &hasXMP)
    try v.flag("Animation", &isAnimated)
    try v.u(25, "reserved", &reserved2)
    try v.littleEndian(24, "Canvas Width Minus One", &widthMinusOne)
    try v.littleEndian(24, "Canvas Height Minus One", &heightMinusOne)
  }
}

/// The header of a key frame (`VP8 `): RFC 6386, 9.1. Its numbers begin at the low end of a byte, so some are in parts.
package struct VP8FrameHeader: SyntaxStructure {
  package static let size = 10
  private var partSizeLow: UInt8 = 0
  private var showFrame = true
  private var version: UInt8 = 0
  private var frameType = false
  private var partSizeHigh: UInt16 = 0
  private var startCode: UInt32 = 0x9d_012a
  private var across = Side()
  private var down = Side()

  private struct Side: SyntaxStructure {
    var low: UInt16 = 0
    var scale: UInt8 = 0
    var high: UInt16 = 0

    var size: Int { Int(high << 8 | low) }

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "low", &low)
      try v.u(2, "scale", &scale)
      try v.u(6, "high", &high)
    }
  }

  package init() {}

  package var width: Int { across.size }
  package var height: Int { down.size }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "first_part_size_low", &partSizeLow)
    try v.flag("show_frame", &showFrame)
    try v.u(3, "version", &version)
    try v.flag("frame_type", &frameType)
    try v.littleEndian(16, "first_part_size_high", &partSizeHigh)
    try v.u(24, "start_code", &startCode, as: .hex)
    try v.group("width", &across)
    try v.group("height", &down)
  }
}

/// The header of a lossless picture (`VP8L`): RFC 9649, 3.4. Its numbers begin at the low end of a byte, so they are in
/// parts.
package struct VP8LHeader: SyntaxStructure {
  package static let size = 5
  private var signature: UInt8 = 0x2f
  private var widthLow: UInt16 = 0
  private var heightLow: UInt16 = 0
  private var widthHigh: UInt16 = 0
  private var heightMiddle: UInt16 = 0
  private var version: UInt8 = 0
  private var isAlphaUsed = false
  private var heightHigh: UInt16 = 0

  package init() {}

  package var width: Int { Int(widthHigh << 8 | widthLow) + 1 }
  package var height: Int { Int(heightHigh << 10 | heightMiddle << 2 | heightLow) + 1 }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "signature", &signature, as: .hex)
    try v.u(8, "image_width_minus_one_low", &widthLow)
    try v.u(2, "image_height_minus_one_low", &heightLow)
    try v.u(6, "image_width_minus_one_high", &widthHigh)
    try v.u(8, "image_height_minus_one_middle", &heightMiddle)
    try v.u(3, "version_number", &version)
    try v.flag("alpha_is_used", &isAlphaUsed)
    try v.u(4, "image_height_minus_one_high", &heightHigh)
  }
}

/// The alpha of a lossy picture (`ALPH`): RFC 9649, 2.7.1.2.
package struct WebPAlpha: SyntaxStructure {
  private var reserved: UInt8 = 0
  private var preprocessing: UInt8 = 0
  private var filtering: UInt8 = 0
  private var compression: UInt8 = 0
  private var data = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "reserved", &reserved)
    try v.u(2, "Preprocessing", &preprocessing)
    try v.u(2, "Filtering method", &filtering)
    try v.u(2, "Compression method", &compression)
    try v.extent("Alpha bitstream", &data, count: nil)
  }
}

/// The parameters of an animation (`ANIM`): RFC 9649, 2.7.1.1.
package struct WebPAnimation: SyntaxStructure {
  private var background: UInt32 = 0
  private var loopCount: UInt16 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.littleEndian(32, "Background Color", &background, as: .hex)
    try v.littleEndian(16, "Loop Count", &loopCount)
  }
}

/// The first fields of a frame (`ANMF`), whose chunks follow: RFC 9649, 2.7.1.1.
package struct WebPFrame: SyntaxStructure {
  package static let size = 16
  private var numbers: [UInt32] = Array(repeating: 0, count: 5)
  private var reserved: UInt8 = 0
  private var blending = false
  private var disposal = false

  private static let names: [StaticString] = [
    "Frame X", "Frame Y", "Frame Width Minus One", "Frame Height Minus One", "Frame Duration",
  ]

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    for (index, name) in Self.names.enumerated() { try v.littleEndian(24, name, &numbers[index]) }
    try v.u(6, "reserved", &reserved)
    try v.flag("Blending method", &blending)
    try v.flag("Disposal method", &disposal)
  }
}

/// XMP (`XMP `): RFC 9649, 2.7.1.5.
package struct WebPXMP: SyntaxStructure {
  private var packet: [UInt8] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("packet", &packet, count: nil, .text)
  }
}
