// SPDX-License-Identifier: MIT

package import ApusBytes

/// The header of a profile: ICC.1:2022, 7.2.
package struct ICCHeader: SyntaxStructure {
  package static let size = 128
  /// The size of a profile without tags.
  package static let leastProfile = 132

  package var profileSize: UInt32 = 0
  private var preferredCMM: FourCC = FourCC(0)
  package var majorVersion: UInt8 = 4
  private var minorVersion: UInt8 = 0
  private var versionReserved: UInt16 = 0
  package var deviceClass: FourCC = "mntr"
  package var colourSpace: FourCC = "RGB "
  package var connectionSpace: FourCC = "XYZ "
  private var date: [UInt16] = Array(repeating: 0, count: 6)
  package var signature: FourCC = "acsp"
  private var platform: FourCC = FourCC(0)
  private var flags: UInt32 = 0
  private var manufacturer: FourCC = FourCC(0)
  private var model: FourCC = FourCC(0)
  private var attributes: UInt64 = 0
  private var renderingIntent: UInt32 = 0
  private var illuminant = ICCXYZNumber()
  private var creator: FourCC = FourCC(0)
  private var identifier: [UInt8] = Array(repeating: 0, count: 16)
  private var reserved: [UInt8] = Array(repeating: 0, count: 28)

  private static let dateNames: [StaticString] = [
    "year", "month", "day", "hours", "minutes", "seconds",
  ]

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "profile_size", &profileSize)
    try v.u(32, "preferred_cmm_type", &preferredCMM)
    try v.u(8, "major_version", &majorVersion)
    try v.u(8, "minor_version", &minorVersion, as: .hex)
    try v.u(16, "reserved", &versionReserved)
    try v.u(32, "profile_class", &deviceClass)
    try v.u(32, "data_colour_space", &colourSpace)
    try v.u(32, "pcs", &connectionSpace)
    for (index, name) in Self.dateNames.enumerated() { try v.u(16, name, &date[index]) }
    try v.u(32, "profile_file_signature", &signature)
    try v.u(32, "primary_platform", &platform)
    try v.u(32, "profile_flags", &flags, as: .hex)
    try v.u(32, "device_manufacturer", &manufacturer)
    try v.u(32, "device_model", &model)
    try v.u(64, "device_attributes", &attributes, as: .hex)
    try v.u(32, "rendering_intent", &renderingIntent)
    try v.group("pcs_illuminant", &illuminant)
    try v.u(32, "profile_creator", &creator)
    try v.bytes("profile_id", &identifier, count: 16)
    try v.bytes("reserved", &reserved, count: 28)
  }
}

/// An `XYZNumber`: ICC.1:2022, 4.14.
package struct ICCXYZNumber: SyntaxStructure {
  private var fixed: [Int32] = [0, 0, 0]
  private static let names: [StaticString] = ["X", "Y", "Z"]

  package init() {}

  package var value: SIMD3<Double> {
    SIMD3(Double(fixed[0]), Double(fixed[1]), Double(fixed[2])) / 65536
  }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    for (index, name) in Self.names.enumerated() {
      try v.i(32, name, &fixed[index], as: .signedFixed(16))
    }
  }
}

/// The tag table: ICC.1:2022, 7.3.
package struct ICCTagTable: SyntaxStructure {
  package struct Tag: SyntaxStructure {
    package static let size = 12
    package var signature: FourCC = "desc"
    package var offset: UInt32 = 0
    package var size: UInt32 = 0

    package init() {}

    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(size) }

    package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "signature", &signature)
      try v.u(32, "offset", &offset)
      try v.u(32, "size", &size)
    }
  }

  /// The stated number of tags.
  package private(set) var count = 0
  package private(set) var tags: [Tag] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    count = try v.count(32, "tag_count", count)
    try v.list("tags", &tags, count: v.isReading ? min(count, v.remaining / Tag.size) : tags.count)
  }
}
