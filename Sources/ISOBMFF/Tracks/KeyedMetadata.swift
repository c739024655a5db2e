// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The keyed metadata of a movie (`keys`, `ilst`): QuickTime File Format, metadata.
public struct KeyedMetadata: Sendable {
  /// The values: texts unchanged, numbers in decimal; other types of data are omitted.
  public private(set) var values: [String: String] = [:]

  /// Reads the values of a movie, from `meta` in `moov` and in its user data.
  public init(_ movie: LocatedNode) {
    // Writers other than Apple's put it in the user data.
    let metas = [movie.child("meta"), movie.child("udta", "meta")].compactMap(\.self)
    for meta in metas { add(meta) }
  }

  private mutating func add(_ meta: LocatedNode) {
    for (key, item) in meta.keyedItems {
      guard let key, let value = item.box(at: "data", as: MetadataValue.self)?.value else {
        continue
      }
      let text: String
      switch value {
      case .text(let bytes): text = String(decoding: bytes, as: UTF8.self)
      case .integer(let number, _): text = "\(number)"
      case .unsigned(let number, _): text = "\(number)"
      case .data: continue
      }
      values[key] = values[key] ?? text
    }
  }
}

extension LocatedNode {
  /// The items of the list in a `meta` box, each with the name that `keys` has for it.
  var keyedItems: [(key: String?, item: LocatedNode)] {
    let keys = box(at: "keys", as: MetadataKeys.self)?.entries ?? []
    return (child("ilst")?.children ?? []).map { item in
      let number = Int(item.node.type.code)
      let key = keys.indices.contains(number - 1) ? keys[number - 1].value : nil
      return (key.map { String(decoding: $0, as: UTF8.self) }, item)
    }
  }
}
