// SPDX-License-Identifier: MIT

internal import ApusBytes

/// An image resource block: Adobe Photoshop File Formats, Image Resources Section.
struct ImageResource: SyntaxStructure {
  static let signature = Array("8BIM".utf8)
  /// The ID of IPTC-NAA records.
  static let iptc: UInt16 = 0x0404
  /// The ID of their MD5.
  static let digest: UInt16 = 0x0425

  var type: FourCC = "8BIM"
  var id: UInt16 = 0
  var name: [UInt8] = []
  var data: [UInt8] = []
  /// Whether data with an odd size has a pad byte, which the last block may lack.
  private var isPadded = true

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "signature", &type)
    try v.u(16, "id", &id)
    let nameCount = try v.count(8, "name_length", name.count)
    try v.bytes("name", &name, count: nameCount)
    if nameCount % 2 == 0 { try pad(&v) }
    let count = try v.count(32, "size", data.count)
    try v.bytes("data", &data, count: count)
    if v.isReading { isPadded = v.remaining > 0 }
    if count % 2 == 1, isPadded { try pad(&v) }
  }

  private func pad<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var zero: UInt8 = 0
    try v.u(8, "padding", &zero)
  }
}
