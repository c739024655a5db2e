// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A packet divided into the part that fits a JPEG segment and an extended part for further segments: XMP part 3,
/// 1.1.3.1.
///
/// The largest properties are moved to the extended part, byte for byte, with their namespaces; the rest of the packet
/// is unchanged except for the property that refers to the extended part. Padding is removed first, which may be
/// sufficient.
struct ExtendedXMP {
  private(set) var main: [UInt8]
  /// The extended part; empty if the packet fits.
  private(set) var extended: [UInt8] = []
  /// The digest of the extended part, as 32 hexadecimal digits.
  private(set) var guid: [UInt8] = []

  /// A property that can be moved: an attribute of a node, or an element in it.
  private struct Property {
    var node: Int
    var range: Range<Int>
    var child: Int?
  }

  /// Divides a packet; `nil` if it is too large and cannot be divided.
  init?(dividing packet: [UInt8]) {
    main = packet
    guard main.count > JPEGSegment.xmpCapacity else { return }
    main = Self.withoutPadding(packet)
    guard main.count > JPEGSegment.xmpCapacity else { return }
    do throws(XMLError) {
      var editor = try XMPEditor(main)
      let moved = try Self.choose(in: editor)
      extended = try Self.extended(moved, in: editor)
      guid = Array(MD5.digest(of: extended).hexadecimal(uppercase: true).utf8)
      guard extended.count <= Int(UInt32.max) else { return nil }
      for property in moved { editor.remove(property.range) }
      try Self.name(String(decoding: guid, as: UTF8.self), in: &editor)
      main = editor.packet()
      guard main.count <= JPEGSegment.xmpCapacity else { return nil }
    } catch {
      return nil
    }
  }

  /// Returns the packet without the blanks before its trailer, which are room for growth; a line break is kept.
  private static func withoutPadding(_ packet: [UInt8]) -> [UInt8] {
    let trailer = Array("<?xpacket end".utf8)
    let last = packet.indices.reversed().first { packet[$0...].starts(with: trailer) }
    guard let last else { return packet }
    let content = packet[..<last].lastIndex { !XMLScanner.isBlank($0) } ?? 0
    guard content + 2 < last else { return packet }
    return packet[...content] + [0x0A] + packet[last...]
  }

  /// Returns the largest properties, as many as needed.
  private static func choose(in editor: XMPEditor) throws(XMLError) -> [Property] {
    let document = editor.document
    var properties: [Property] = []
    for node in editor.nodes {
      let element = document.elements[node]
      for attribute in element.attributes where !stays(attribute.name) {
        properties.append(Property(node: node, range: attribute.range))
      }
      for child in document.children(of: node) where !stays(document.elements[child].name) {
        properties.append(
          Property(node: node, range: document.elements[child].range, child: child))
      }
    }
    // Room for the property that refers to the extended part.
    var size = document.bytes.count + 160
    let chosen = properties.sorted { $0.range.count > $1.range.count }.prefix { property in
      guard size > JPEGSegment.xmpCapacity else { return false }
      size -= property.range.count
      return true
    }
    return chosen.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns whether a property belongs to the node, or to the gain map, which readers expect in the main packet.
  private static func stays(_ name: XMLDocument.Name) -> Bool {
    [
      XMPNamespace.rdf, XMPNamespace.xml, XMPNamespace.note, XMPNamespace.gainMap,
      XMPNamespace.container,
    ].contains(name.namespace)
  }

  /// Returns a separate packet, without wrapper, with a node for each from which properties were moved.
  private static func extended(_ moved: [Property], in editor: XMPEditor) throws(XMLError)
    -> [UInt8]
  {
    let document = editor.document
    var result = Array(
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(XMPNamespace.rdf)\">".utf8)
    for (node, own) in Dictionary(grouping: moved, by: \.node).sorted(by: { $0.key < $1.key }) {
      let element = document.elements[node]
      let kept = element.attributes.filter {
        $0.name.namespace == XMPNamespace.rdf || $0.name.namespace == XMPNamespace.xml
      }
      let attributes =
        kept.map(\.range) + declarations(for: node, in: document).map(\.range)
        + own.filter { $0.child == nil }.map(\.range)
      result += [0x3C] + document.bytes[element.nameRange]
      for range in attributes { result += [0x20] + document.bytes[range] }
      result.append(0x3E)
      for property in own where property.child != nil { result += document.bytes[property.range] }
      result += Array("</".utf8) + document.bytes[element.nameRange] + [0x3E]
      // Many nodes under many namespaces would multiply the size.
      guard result.count < 2 * document.bytes.count else {
        throw XMLError(offset: element.range.lowerBound, detail: "grows when it is divided")
      }
    }
    return result + Array("</rdf:RDF></x:xmpmeta>".utf8)
  }

  /// Returns the namespace declarations in force at an element.
  static func declarations(for index: Int, in document: XMLDocument)
    -> [XMLDocument.Declaration]
  {
    var found: [String: XMLDocument.Declaration] = [:]
    var place: Int? = index
    while let current = place {
      for declaration in document.elements[current].declarations
      where found[declaration.prefix] == nil {
        found[declaration.prefix] = declaration
      }
      place = document.elements[current].parent
    }
    return found.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Adds the reference to the extended part to the main one: `xmpNote:HasExtendedXMP`.
  private static func name(_ guid: String, in editor: inout XMPEditor) throws(XMLError) {
    let name = XMLDocument.Name(namespace: XMPNamespace.note, local: "HasExtendedXMP")
    let document = editor.document
    _ = editor.removeProperties { $0 == name }
    guard let node = editor.nodes.first else {
      throw XMLError(offset: 0, detail: "holds no description")
    }
    let element = document.elements[node]
    let known = declarations(for: node, in: document)
    var prefix = known.first { $0.namespace == XMPNamespace.note && !$0.prefix.isEmpty }?.prefix
    var declaration = ""
    if prefix == nil {
      let free = ["xmpNote"] + (1...).lazy.prefix(1000).map { "xmpNote\($0)" }
      prefix = free.first { name in !known.contains { $0.prefix == name } }
      declaration = " xmlns:\(prefix ?? "")=\"\(XMPNamespace.note)\""
    }
    editor.insert(
      "\(declaration) \(prefix ?? ""):HasExtendedXMP=\"\(guid)\"", at: element.nameRange.upperBound)
  }
}

extension JPEGSegment {
  /// Returns the main packet, then the parts of the extended one; empty if XMP cannot be divided.
  static func xmpSegments(_ packet: [UInt8]) -> [[UInt8]] {
    guard let parts = ExtendedXMP(dividing: packet) else { return [] }
    var segments = [segment(0xE1, xmp + parts.main)]
    let head =
      extendedXMP + parts.guid + ByteOrder.big.bytes(UInt32(clamping: parts.extended.count))
    for start in stride(from: 0, to: parts.extended.count, by: extendedXMPCapacity) {
      let part = parts.extended[start...].prefix(extendedXMPCapacity)
      segments.append(
        segment(0xE1, head + ByteOrder.big.bytes(UInt32(clamping: start)) + part))
    }
    return segments
  }
}
