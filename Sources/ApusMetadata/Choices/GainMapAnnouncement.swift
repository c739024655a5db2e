// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The XMP of a gain map, which describes the map in Adobe's properties (Gain Map 1.0) or Apple's. The XMP of the base
/// picture of Ultra HDR is in `AppendedFiles`.
public enum GainMapAnnouncement {
  /// The URN of Apple's gain maps, in XMP and in `auxC`.
  public static let appleURN = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// An empty packet.
  static let emptyPacket = packet("")

  /// Returns the packet of the map itself.
  static func packet(of map: GainMapParameters) -> [UInt8] {
    var attributes = ""
    var lists = ""
    func add(_ name: String, _ values: [Double]) {
      let texts = values.map { $0.decimal(places: 0...6) }
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

  /// Returns the packet of a map in Apple's form: version 2, whose headroom is a linear factor.
  ///
  /// - Parameter headroom: the headroom of the HDR picture.
  public static func applePacket(headroom: Double) -> [UInt8] {
    // 'L008' means luma with eight bits.
    packet(
      "<rdf:Description rdf:about=\"\" xmlns:HDRGainMap=\"\(XMPNamespace.appleGainMap)\""
        + " xmlns:apdi=\"\(XMPReader.Namespace.pixelData)\""
        + " HDRGainMap:HDRGainMapVersion=\"131072\""
        + " HDRGainMap:HDRGainMapHeadroom=\"\(headroom.decimal(places: 0...6))\""
        + " apdi:AuxiliaryImageType=\"\(appleURN)\""
        + " apdi:NativeFormat=\"1278226488\" apdi:StoredFormat=\"1278226488\"/>")
  }

  /// Returns a packet with these nodes.
  static func packet(_ nodes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)">\(nodes)</rdf:RDF></x:xmpmeta>
      """.utf8)
  }
}
