// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import FLV
public import ISOBMFF

/// The metadata of an input as a whole, in addition to its tracks.
public struct MediaDetails: Sendable {
  /// Titles, authors and the like, with the names that FFmpeg gives them (`title`, `artist`, `creation_time` …), in the
  /// order of the input.
  public var tags: [(name: String, value: String)] = []
  /// The chapters in chronological order.
  public var chapters: [Chapter] = []
  /// The time of creation in seconds since 1904, as movies count; `nil` where unknown.
  public var creationTime: UInt64?
  /// Files inside the input: fonts, and pictures that represent the whole.
  public var attachments: [Attachment] = []
  /// Boxes of a movie that another movie takes over unchanged: `udta`, `meta` and the like.
  public var boxes: [Node] = []
  /// Paths of boxes that no other file can take over.
  package var refused: [String] = []

  /// Creates details that contain nothing.
  public init() {}

  /// Returns what a container other than a movie loses, as text; `nil` if there is nothing.
  package func loss(in container: RemuxTarget) -> String? {
    var parts: [String] = []
    if !container.isMatroska {
      if !chapters.isEmpty {
        parts.append("its chapters")
      }
      var names = tags.map(\.name).filter { !Self.technical.contains($0.lowercased()) }
      if container == .flv { names.removeAll { AMFObject.isTag($0) } }
      // Stored as the name of its program.
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

  /// The most names listed; more are counted.
  private static let most = 8

  /// Tags that describe how a file was written.
  package static let technical: Set<String> = [
    "encoder", "creation_time", "major_brand", "minor_version", "compatible_brands",
  ]
}

/// A named stretch of a presentation.
public struct Chapter: Hashable, Sendable {
  /// The time at which it begins.
  public var start: RationalTime
  /// The end; `nil` where the next chapter ends it.
  public var end: RationalTime?
  /// The name for users.
  public var title: String

  /// Creates a chapter.
  ///
  /// - Parameter end: the end; `nil` if the next chapter ends it.
  public init(start: RationalTime, end: RationalTime? = nil, title: String) {
    self.start = start
    self.end = end
    self.title = title
  }
}
