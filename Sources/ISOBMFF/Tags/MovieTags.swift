// SPDX-License-Identifier: MIT

package import ApusBytes

/// Titles, authors and the like, as movies store them: in `udta`, in `ilst`, and under the names of `keys`.
package enum MovieTags {
  package typealias Tag = (name: String, value: String)

  /// The types of items by the names that FFmpeg gives them.
  package static let names: [FourCC: String] = [
    FourCC(0xa96e_616d): "title", FourCC(0xa941_5254): "artist", "aART": "album_artist",
    FourCC(0xa961_6c62): "album", FourCC(0xa964_6179): "date", FourCC(0xa963_6d74): "comment",
    FourCC(0xa967_656e): "genre", FourCC(0xa974_6f6f): "encoder", FourCC(0xa977_7274): "composer",
    "cprt": "copyright", FourCC(0xa963_7079): "copyright", "desc": "description",
    "ldes": "synopsis", FourCC(0xa96c_7972): "lyrics", "tvsh": "show", "tvnn": "network",
    "tven": "episode_id", FourCC(0xa978_797a): "location", FourCC(0xa96d_616b): "make",
    FourCC(0xa96d_6f64): "model", FourCC(0xa973_7772): "encoder", FourCC(0xa967_7270): "grouping",
    "trkn": "track", "disk": "disc", "gnre": "genre",
  ]

  /// The types that are read but never written, because another type for the same name is better.
  private static let others: Set<FourCC> = [FourCC(0xa973_7772), "gnre"]

  /// The facts about the container itself rather than its contents; other containers write their own.
  package static let own: Set<String> = [
    "creation_time", "duration", "major_brand", "minor_version", "compatible_brands",
  ]

  /// Returns `meta` with an item for each tag; `nil` if there is none.
  package static func metadata(_ tags: [Tag]) -> Node? {
    var items = MetadataItemList()
    items.boxes = tags.compactMap(item)
    guard !items.boxes.isEmpty else { return nil }
    var handler = HandlerReference()
    handler.handlerType = "mdir"
    handler.reserved.replaceSubrange(0..<4, with: Array("appl".utf8))
    var meta = Metadata()
    meta.boxes = [Node("hdlr", handler), Node("ilst", items)]
    return Node("meta", meta)
  }

  /// Returns the item that holds a tag; `nil` if it is not a tag. Names without a type become free-form items, as
  /// iTunes writes them; the case of names does not matter.
  static func item(_ tag: Tag) -> Node? {
    let name = tag.name.lowercased()
    guard !own.contains(name), !tag.value.isEmpty else { return nil }
    var value = MetadataValue()
    value.value = .text(Array(tag.value.utf8))
    var item = MetadataItem()
    let types = names.filter { $0.value == name }.keys.filter { !others.contains($0) }
    let type = types.min { $0.code < $1.code }
    if let type {
      let isPlace = type == "trkn" || type == "disk"
      if isPlace, let place = place(tag.value, hasEnd: type == "trkn") {
        (value.wellKnownType, value.value) = (0, .data(Extent(place)))
      }
      if !isPlace || value.wellKnownType == 0 {
        item.boxes = [Node("data", value)]
        return Node(type, item)
      }
    }
    var (domain, word) = (MetadataItemName(), MetadataItemName())
    (domain.name, word.name) = (Array("com.apple.iTunes".utf8), Array(tag.name.utf8))
    item.boxes = [Node("mean", domain), Node("name", word), Node("data", value)]
    return Node("----", item)
  }

  /// - Parameter box: a box in `moov`.
  package static func add(_ box: LocatedNode, to tags: inout [Tag]) throws {
    switch box.node.type {
    case "udta":
      for child in box.children {
        if child.node.type == "meta" {
          try add(child, to: &tags)
        } else if let text = child.box(UserDataText.self) {
          let bytes = text.plain ?? text.strings.first?.text ?? []
          add(names[child.node.type], bytes, to: &tags)
        }
      }
    case "meta":
      let keys = box.box(at: "keys", as: MetadataKeys.self)?.entries ?? []
      for item in box.child("ilst")?.children ?? [] {
        if item.node.type == "----" {
          let word = item.box(at: "name", as: MetadataItemName.self)?.name ?? []
          guard case .text(let bytes)? = item.box(at: "data", as: MetadataValue.self)?.value else {
            continue
          }
          add(String(decoding: word, as: UTF8.self), bytes, to: &tags)
          continue
        }
        let number = Int(item.node.type.code)
        let key =
          (1...max(1, keys.count)).contains(number) && !keys.isEmpty
          ? String(decoding: keys[number - 1].value, as: UTF8.self) : names[item.node.type]
        guard let value = item.box(at: "data", as: MetadataValue.self) else { continue }
        switch value.value {
        case .text(let bytes): add(key, bytes, to: &tags)
        case .integer(let number, _): add(key, Array("\(number)".utf8), to: &tags)
        case .unsigned(let number, _): add(key, Array("\(number)".utf8), to: &tags)
        case .data(let extent) where item.node.type == "gnre":
          add("genre", try genre(in: extent), to: &tags)
        case .data(let extent): add(names[item.node.type], try place(in: extent), to: &tags)
        }
      }
    default: break
    }
  }

  /// Returns the text of `trkn` and `disk`: the number and the total.
  private static func place(in extent: Extent) throws -> [UInt8] {
    guard extent.count == 6 || extent.count == 8 else { return [] }
    let bytes = try extent.bytes()
    let number = Int(bigEndianBytes: bytes[2..<4])
    let count = Int(bigEndianBytes: bytes[4..<6])
    return Array((count > 0 ? "\(number)/\(count)" : "\(number)").utf8)
  }

  private static func genre(in extent: Extent) throws -> [UInt8] {
    guard extent.count == 2 else { return [] }
    return Array(Genre.name(Int(bigEndianBytes: try extent.bytes())).utf8)
  }

  /// Returns the bytes of `trkn` or `disk` for `3` or `3/12`; `nil` for other text.
  private static func place(_ text: String, hasEnd: Bool) -> [UInt8]? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt16($0) }
    guard parts.count <= 2, !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap(\.self) + [0]
    let bytes = numbers.prefix(2).flatMap(\.bigEndianBytes)
    return [0, 0] + bytes + (hasEnd ? [0, 0] : [])
  }

  private static func add(_ name: String?, _ bytes: [UInt8], to tags: inout [Tag]) {
    guard let name, !bytes.isEmpty, !tags.contains(where: { $0.name == name }) else { return }
    tags.append((name, String(decoding: bytes, as: UTF8.self)))
  }
}
