// SPDX-License-Identifier: MIT

/// Joins a packet with the extended part that was divided from it in a JPEG: XMP part 3, 1.1.3.1.
///
/// The nodes of the extended part follow those of the packet, byte for byte except for the namespaces that were in
/// force around them.
struct JoinedXMP {
  private(set) var packet: [UInt8]

  init(_ main: [UInt8], _ extended: [UInt8]) throws(XMLError) {
    var editor = try XMPEditor(main)
    let other = try XMPEditor(extended)
    let rdf = XMLDocument.Name(namespace: XMPNamespace.rdf, local: "RDF")
    guard
      let root = editor.document.elements.firstIndex(where: { $0.name == rdf && $0.content != nil }
      ),
      let end = editor.document.elements[root].content?.upperBound
    else { throw XMLError(offset: 0, detail: "has no rdf:RDF to add to") }
    let known = ExtendedXMP.declarations(for: root, in: editor.document)
    for node in other.nodes {
      editor.insert(Self.text(of: node, in: other.document, known), at: end)
    }
    let name = XMLDocument.Name(namespace: XMPNamespace.note, local: "HasExtendedXMP")
    _ = editor.removeProperties { $0 == name }
    packet = editor.packet()
  }

  /// Returns a node with the surrounding declarations that are unknown at its new place.
  private static func text(
    of node: Int, in document: XMLDocument, _ known: [XMLDocument.Declaration]
  ) -> String {
    let element = document.elements[node]
    let own = Set(element.declarations.map(\.prefix))
    let missing = ExtendedXMP.declarations(for: node, in: document).filter { declaration in
      !own.contains(declaration.prefix)
        && !known.contains {
          $0.prefix == declaration.prefix && $0.namespace == declaration.namespace
        }
    }
    let added = missing.map { " " + document.text($0.range) }.joined()
    let start = element.nameRange.upperBound
    return document.text(element.range.lowerBound..<start) + added
      + document.text(start..<element.range.upperBound)
  }
}

extension SourceMetadata {
  /// The XMP with its extended part, if that can be read; otherwise only the packet.
  public var joinedXMP: [UInt8]? {
    guard let xmp, !extendedXMP.isEmpty, let main = XMPEncoding.utf8(xmp) else { return xmp }
    do throws(XMLError) {
      return try JoinedXMP(main, extendedXMP).packet
    } catch {
      return xmp
    }
  }
}
