// SPDX-License-Identifier: MIT

internal import ApusBytes

extension MovieTags {
  /// Sets a tag in the boxes of a movie, or removes it if it has no value.
  package static func apply(_ change: TagChange, to boxes: inout [Node]) {
    for index in boxes.indices { remove(change, from: &boxes[index]) }
    if !change.value.isEmpty { add((change.name, change.value), to: &boxes) }
  }

  /// Removes a tag from a box of a movie: `udta`, `meta`, or `ilst` in it.
  ///
  /// - Parameter keys: the names of the items, if a list gives them.
  private static func remove(_ change: TagChange, from box: inout Node, keys: [String] = []) {
    switch box.type {
    case "udta":
      box.children.removeAll {
        $0.box is UserDataText && names[$0.type].map(change.concerns) ?? false
      }
      for index in box.children.indices where box.children[index].type == "meta" {
        remove(change, from: &box.children[index])
      }
    case "meta":
      let list = box.children.lazy.compactMap { $0.box as? MetadataKeys }.first
      let keys = (list?.entries ?? []).map { String(decoding: $0.value, as: UTF8.self) }
      for index in box.children.indices where box.children[index].type == "ilst" {
        remove(change, from: &box.children[index], keys: keys)
      }
    case "ilst":
      // The numbers of keys must not change.
      box.children.removeAll { name(of: $0, keys).map(change.concerns) ?? false }
    default: break
    }
  }

  /// Returns the name of an item of `ilst`.
  package static func name(of item: Node, _ keys: [String]) -> String? {
    if item.type == "----" {
      let word = item.children.lazy.compactMap { $0.box as? MetadataItemName }.last
      return word.map { String(decoding: $0.name, as: UTF8.self) }
    }
    let number = Int(item.type.code)
    return keys.indices.contains(number - 1) ? keys[number - 1] : names[item.type]
  }

  /// Adds a tag to the list of items in `udta`, creating it if necessary.
  private static func add(_ tag: Tag, to boxes: inout [Node]) {
    guard let item = item(tag), let list = metadata([tag]) else { return }
    guard let place = boxes.firstIndex(where: { $0.type == "udta" && $0.box is UserData }) else {
      var box = UserData()
      box.boxes = [list]
      boxes.append(Node("udta", box))
      return
    }
    let plain = boxes[place].children.firstIndex { child in
      child.type == "meta" && !child.children.contains { $0.type == "keys" }
        && child.children.contains { $0.type == "ilst" }
    }
    guard let plain,
      let items = boxes[place].children[plain].children.firstIndex(where: { $0.type == "ilst" })
    else {
      // QuickTime's list may end with a zero.
      let end = boxes[place].children.firstIndex(where: \.isJunk) ?? boxes[place].children.count
      boxes[place].children.insert(list, at: end)
      return
    }
    boxes[place].children[plain].children[items].children.append(item)
  }
}
