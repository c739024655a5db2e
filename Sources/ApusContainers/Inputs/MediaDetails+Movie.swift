// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

extension MediaDetails {
  /// Reads the facts in boxes outside the tracks: `mvhd`, `udta`, `meta`.
  init(_ moov: LocatedNode) throws {
    self.init()
    if let header = moov.box(at: "mvhd", as: MovieHeader.self), header.creationTime > 0 {
      creationTime = header.creationTime
    }
    for child in moov.children where !Self.known.contains(child.node.type) {
      var node = child.node
      if node.type == "udta" { node = Self.withoutChapters(node) }
      guard node.isCarriable else {
        if !node.isJunk { refused.append(child.path) }
        continue
      }
      boxes.append(node)
      try MovieTags.add(child, to: &tags)
    }
    let covers = moov.child("udta", "meta", "ilst", "covr")?.children(of: "data") ?? []
    attachments = covers.compactMap { $0.box(MetadataValue.self) }.compactMap(Self.cover)
    if let list = moov.box(at: "udta", "chpl", as: ChapterList.self) {
      chapters = list.chapters.map {
        // Units of 100 ns.
        let start = RationalTime(Int64(clamping: $0.startTime), per: 10_000_000)
        return Chapter(start: start, title: String(decoding: $0.title, as: UTF8.self))
      }
    }
  }

  /// Returns the picture of an item `covr`; `nil` for anything but JPEG and PNG.
  private static func cover(_ value: MetadataValue) -> Attachment? {
    guard value.typeSet == 0, case .data(let data) = value.value else { return nil }
    let type: String
    switch value.wellKnownType {
    case 13: type = "jpeg"
    case 14: type = "png"
    default: return nil
    }
    let ending = type == "jpeg" ? "jpg" : type
    var cover = Attachment(name: "cover.\(ending)", mediaType: "image/\(type)", data: data)
    cover.isInBoxes = true
    return cover
  }

  /// The boxes that are rewritten, or have no meaning in another file.
  private static let known: Set<FourCC> = ["mvhd", "trak", "mvex", "iods", "free", "skip", "wide"]

  /// Returns a node without its chapters, which are rewritten.
  private static func withoutChapters(_ node: Node) -> Node {
    guard node.children.contains(where: { $0.type == "chpl" }) else { return node }
    var result = node
    result.children.removeAll { $0.type == "chpl" }
    return result
  }
}
