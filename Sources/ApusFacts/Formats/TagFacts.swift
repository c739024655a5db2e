// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples
internal import ISOBMFF

/// A title, an artist or the like from a file.
public struct TagFacts: Hashable, Sendable {
  /// The name as FFmpeg uses it, such as `artist`.
  public var name: String
  /// The value as text.
  public var value: String

  /// Returns the tags except those that are separate facts, such as the program and the time of writing.
  static func all(of tags: [(name: String, value: String)]) -> [TagFacts] {
    tags.filter { !MediaDetails.technical.contains($0.name.lowercased()) }
      .map { TagFacts(name: $0.name, value: $0.value) }
  }

  /// Returns the tags of a movie; those that cannot be read were reported when the boxes were read.
  static func all(of movie: LocatedNode) -> [TagFacts] {
    var tags: [MovieTags.Tag] = []
    for child in movie.children(of: ["udta", "meta"]) {
      do {
        try MovieTags.add(child, to: &tags)
      } catch {
        continue
      }
    }
    return all(of: tags)
  }
}

extension TagFacts: Described {
  package static var title: String { "tag" }

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == TagFacts {
    v.required("name", "The name: `title`, `artist` …") { $0.name }
    v.required("value", "The value.") { $0.value }
  }
}
