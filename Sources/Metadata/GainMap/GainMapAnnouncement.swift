// SPDX-License-Identifier: MIT

internal import Media

/// The XMP of the gain map of an Ultra HDR picture: what the map says of itself (Adobe, Gain Map 1.0). What the base says
/// is with `AppendedFiles`.
enum GainMapAnnouncement {
  /// A packet that says nothing.
  static let emptyPacket = packet("")

  /// The packet of the map itself.
  static func packet(of map: GainMapParameters) -> [UInt8] {
    var attributes = ""
    var lists = ""
    func add(_ name: String, _ values: [Double]) {
      let texts = values.map(decimal)
      if texts.allSatisfy({ $0 == texts.first }) {
        attributes += " hdrgm:\(name)=\"\(texts.first ?? "0")\""
      } else {
        let items = texts.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        lists += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    add("GainMapMin", map.channels.map(\.minimum))
    add("GainMapMax", map.channels.map(\.maximum))
    add("Gamma", map.channels.map(\.gamma))
    add("OffsetSDR", map.channels.map(\.baseOffset))
    add("OffsetHDR", map.channels.map(\.alternateOffset))
    add("HDRCapacityMin", [map.baseHeadroom])
    add("HDRCapacityMax", [map.alternateHeadroom])
    let head =
      "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(XMPNamespace.gainMap)\" hdrgm:Version=\"1.0\""
      + attributes + " hdrgm:BaseRenditionIsHDR=\"False\""
    return packet(lists.isEmpty ? head + "/>" : head + ">\(lists)</rdf:Description>")
  }

  /// A packet of these nodes.
  static func packet(_ nodes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)">\(nodes)</rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// At most six decimals, never an exponent, which readers do not know.
  static func decimal(_ value: Double) -> String {
    let millionths = Int((value * 1e6).rounded())
    let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var digits = String(String(rest + 1_000_000).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return (millionths < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
  }
}
