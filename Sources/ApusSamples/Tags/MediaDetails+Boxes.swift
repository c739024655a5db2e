// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension MediaDetails {
  /// The facts in boxes of a movie other than tags, chapters and covers, by the names of items and the types of boxes.
  var untagged: [String] {
    var names: [String] = []
    for name in boxes.flatMap({ MovieTags.untagged(in: $0) }) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

extension MovieTags {
  /// Returns the contents of a box of a movie that do not become tags.
  fileprivate static func untagged(in box: Node) -> [String] {
    guard !box.isJunk else { return [] }
    switch box.type {
    case "udta" where box.box is UserData: return box.children.flatMap { untagged(in: $0) }
    case "meta":
      let list = box.children.lazy.compactMap { $0.box as? MetadataKeys }.first
      let keys = (list?.entries ?? []).map { String(decoding: $0.value, as: UTF8.self) }
      return box.children.flatMap { child -> [String] in
        switch child.type {
        case "hdlr", "keys", "free", "skip": return []
        case "ilst": return child.children.compactMap { untagged(item: $0, keys) }
        default: return [child.type.description]
        }
      }
    // Chapter lists are read separately.
    case "free", "skip", "chpl": return []
    default: return names[box.type] != nil && box.box is UserDataText ? [] : [box.type.description]
    }
  }

  private static func untagged(item: Node, _ keys: [String]) -> String? {
    let name = name(of: item, keys)
    switch item.children.lazy.compactMap({ $0.box as? MetadataValue }).first?.value {
    case .text, .integer, .unsigned:
      return name == nil ? item.type.description : nil
    case .data:
      let isRead = ["covr", "trkn", "disk", "gnre"].contains(item.type)
      return isRead ? nil : name ?? item.type.description
    case nil: return name ?? item.type.description
    }
  }
}
