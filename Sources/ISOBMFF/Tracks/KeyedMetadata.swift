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
    guard let keys = meta.box(at: "keys", as: MetadataKeys.self)?.entries else { return }
    for item in meta.child("ilst")?.children ?? [] {
      let number = Int(item.node.type.code)
      guard keys.indices.contains(number - 1),
        let value = item.box(at: "data", as: MetadataValue.self)?.value
      else { continue }
      let text: String
      switch value {
      case .text(let bytes): text = String(decoding: bytes, as: UTF8.self)
      case .integer(let number, _): text = "\(number)"
      case .unsigned(let number, _): text = "\(number)"
      case .data: continue
      }
      let key = String(decoding: keys[number - 1].value, as: UTF8.self)
      values[key] = values[key] ?? text
    }
  }
}
