// SPDX-License-Identifier: MIT

package import ApusBytes

/// The gamma (`gAMA`), in 100000ths: PNG (Third Edition), 11.3.2.2.
package struct PNGGamma: SyntaxStructure {
  package var gamma: UInt32 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "image_gamma", &gamma)
  }
}

/// The chromaticities (`cHRM`), in 100000ths: PNG (Third Edition), 11.3.2.1.
package struct PNGChromaticities: SyntaxStructure {
  /// White, red, green and blue, x and y each.
  package private(set) var points: [UInt32] = Array(repeating: 0, count: 8)

  private static let names: [StaticString] = [
    "white_point_x", "white_point_y", "red_x", "red_y", "green_x", "green_y", "blue_x", "blue_y",
  ]

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    for (index, name) in Self.names.enumerated() { try v.u(32, name, &points[index]) }
  }
}

/// The standard colour space (`sRGB`): PNG (Third Edition), 11.3.2.5.
package struct PNGStandardColour: SyntaxStructure {
  var renderingIntent: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "rendering_intent", &renderingIntent)
  }
}

/// The display that a picture was mastered on (`mDCV`): PNG (Third Edition), 11.3.2.8.
package struct PNGMasteringDisplay: SyntaxStructure {
  /// Red, green, blue and white, x and y each, in 50000ths.
  private var points: [UInt16] = Array(repeating: 0, count: 8)
  /// The luminances, in 10000ths of a candela per square metre.
  package var maxLuminance: UInt32 = 0
  package var minLuminance: UInt32 = 0

  private static let names: [StaticString] = [
    "red_x", "red_y", "green_x", "green_y", "blue_x", "blue_y", "white_point_x", "white_point_y",
  ]

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    for (index, name) in Self.names.enumerated() { try v.u(16, name, &points[index]) }
    try v.u(32, "max_luminance", &maxLuminance)
    try v.u(32, "min_luminance", &minLuminance)
  }
}

/// The light level (`cLLI`), in 10000ths of a candela per square metre: PNG (Third Edition), 11.3.2.9.
package struct PNGContentLight: SyntaxStructure {
  package var maxContentLight: UInt32 = 0
  package var maxAverageLight: UInt32 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "max_content_light_level", &maxContentLight)
    try v.u(32, "max_frame_average_light_level", &maxAverageLight)
  }
}

/// The compressed ICC profile (`iCCP`): PNG (Third Edition), 11.3.2.3.
package struct PNGEmbeddedProfile: SyntaxStructure {
  var name = Text()
  var compressionMethod: UInt8 = 0
  var profile = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("profile_name", &name)
    try v.u(8, "compression_method", &compressionMethod)
    try v.extent("compressed_profile", &profile, count: nil)
  }
}
