// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

extension TrackDetails {
  /// Reads the facts about a track of a movie, except its samples.
  init(_ track: Track) {
    self.init()
    if let name = track.handlerReference?.name {
      title = String(decoding: name.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    boxes = track.located.node.children.filter {
      !Self.known.contains($0.type) && $0.isCarriable
    }
    var traits = MovieTraits(track.handler ?? "data")
    traits.isQuickTime = track.isQuickTime
    if let code = track.mediaHeader?.language.code { traits.language = code }
    traits.mediaCreationTime = track.mediaHeader?.creationTime ?? 0
    if let header = track.header {
      traits.creationTime = header.creationTime
      traits.isEnabled = header.flags & 1 != 0
      traits.alternateGroup = header.alternateGroup
      traits.layer = header.layer
      traits.volume = header.volume
      (traits.width, traits.height) = (header.width, header.height)
    }
    let headers: Set<FourCC> = ["vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd"]
    let media = track.located.child("mdia")
    traits.mediaHeader = media?.child("minf")?.children.map(\.node).first {
      headers.contains($0.type) && $0.isCarriable
    }
    traits.mediaBoxes = media?.children(of: "elng").map(\.node).filter(\.isCarriable) ?? []
    movie = traits
    roles = Self.roles(of: track)
  }

  /// The boxes that are rewritten, or have no meaning in another file.
  private static let known: Set<FourCC> = [
    "tkhd", "edts", "tref", "mdia", "free", "skip", "wide",
  ]

  private static func roles(of track: Track) -> Set<Role> {
    var roles: Set<Role> = []
    if let header = track.header, header.flags & 1 != 0 { roles.insert(.chosen) }
    let kinds = track.located.child("udta")?.children(of: "kind") ?? []
    for kind in kinds.compactMap({ $0.box(TrackKind.self) }) {
      // DASH's roles, and those of HTML.
      switch kind.value.description {
      case "forced-subtitle", "forced_subtitle": roles.insert(.forced)
      case "dub": roles.insert(.dub)
      case "commentary": roles.insert(.comment)
      case "caption", "captions": roles.formUnion([.captions, .hearingImpaired])
      case "description", "descriptions": roles.formUnion([.descriptions, .visualImpaired])
      case "karaoke": roles.insert(.karaoke)
      default: break
      }
    }
    return roles
  }
}

extension Node {
  /// Whether another file can hold it unchanged: it is whole, and refers to nothing outside of itself.
  var isCarriable: Bool {
    guard !isJunk, header.form != .toEnd, header.declaredSize == nil else { return false }
    switch type {
    case "meta", "udta", "meco": return children.allSatisfy(\.isCarriable)
    // Items in the file itself have other offsets in another file.
    case "iloc":
      return (box as? ItemLocation)?.items.allSatisfy { $0.constructionMethod != 0 } ?? false
    default: return true
    }
  }
}
