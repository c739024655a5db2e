// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
public import ISOBMFF
public import Media

/// The metadata of an input as a whole, besides its tracks.
public struct MediaDetails: Sendable {
  /// Titles, authors and the like, by the names that FFmpeg gives them (`title`, `artist`, `creation_time` …), in
  /// the order of the input.
  public var tags: [(name: String, value: String)] = []
  /// The chapters, in the order of their times.
  public var chapters: [Chapter] = []
  /// The time of creation in seconds since 1904, as movies count; `nil` where unknown.
  public var creationTime: UInt64?
  /// Files inside of it: fonts, and pictures that stand for the whole.
  public var attachments: [Attachment] = []
  /// Boxes of a movie that another movie takes over as they are: `udta`, `meta` and the like.
  public var boxes: [Node] = []
  /// Paths of boxes that no other file can take over.
  package var refused: [String] = []

  public init() {}

  /// What a container that is no movie leaves out, as text; `nil` where there is nothing.
  package func loss(in container: RemuxTarget) -> String? {
    var parts: [String] = []
    if !container.isMatroska {
      if !chapters.isEmpty {
        parts.append("its chapters")
      }
      var names = tags.map(\.name).filter { !Self.technical.contains($0.lowercased()) }
      if container == .flv { names.removeAll { AMFObject.isTag($0) } }
      // The name of its program.
      if container == .ts { names.removeAll { $0.lowercased() == "title" } }
      if !names.isEmpty { parts.append("its tags (\(names.joined(separator: ", ")))") }
    }
    let rest = untagged
    if !rest.isEmpty {
      let more = rest.count > Self.most ? " and \(rest.count - Self.most) more" : ""
      parts.append(
        "its other data (\(rest.prefix(Self.most).joined(separator: ", "))\(more))")
    }
    guard !parts.isEmpty else { return nil }
    return
      "\(parts.joined(separator: " and ")), which \(container.title) cannot hold, are left out"
  }

  /// More names are counted.
  private static let most = 8

  /// Tags that say how a file was written.
  package static let technical: Set<String> = [
    "encoder", "creation_time", "major_brand", "minor_version", "compatible_brands",
  ]
}

/// A stretch of a presentation that has a name.
public struct Chapter: Hashable, Sendable {
  public var start: RationalTime
  /// The end; `nil` where the next chapter ends it.
  public var end: RationalTime?
  public var title: String

  public init(start: RationalTime, end: RationalTime? = nil, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }
}
