// SPDX-License-Identifier: MIT

public import ApusMedia
internal import HLS

/// The current contents of a live playlist.
public struct PublishedPlaylist: Hashable, Sendable {
  /// Its path in the folder of the presentation.
  public var name: String
  /// The number of the last complete segment, and the number of parts of the next one that exist.
  public var lastSegment: Int
  /// The number of parts that exist of the segment after the last complete one.
  public var growingParts: Int
  /// The number of parts of the last segment; `nil` where its parts are not all of it.
  public var lastParts: Int?
  /// The path of the next part; `nil` where none is expected.
  public var nextPart: String?
  /// The target duration in seconds.
  public var targetDuration: Int
  /// The longest duration of a part; `nil` where there are no parts.
  public var partTarget: RationalTime?
  /// Its text without the segments that its readers have already; `nil` where nothing can be left out.
  public var update: String?
  /// Whether it will not change any more.
  public var isEnded = false

  /// Creates the contents of a playlist that is not ended.
  public init(
    _ name: String, lastSegment: Int, growingParts: Int, targetDuration: Int,
    partTarget: RationalTime?
  ) {
    self.name = name
    self.lastSegment = lastSegment
    self.growingParts = growingParts
    self.targetDuration = targetDuration
    self.partTarget = partTarget
  }

  /// Returns whether the playlist has a segment, or a part of it, or anything after it. A part beyond the last of a
  /// segment is the first of the next one: RFC 8216bis, 6.2.5.2.
  public func has(segment: Int, part: Int?) -> Bool {
    if isEnded || segment < lastSegment { return true }
    if segment == lastSegment {
      guard let part, let lastParts, part >= lastParts else { return true }
      return growingParts > 0
    }
    guard let part, segment == lastSegment + 1 else { return false }
    return part < growingParts
  }

  /// Returns whether it can be expected to have that soon: RFC 8216bis, 6.2.5.2.
  public func mayGet(segment: Int, part: Int?) -> Bool {
    guard segment <= lastSegment + 2 else { return false }
    guard let part, segment == lastSegment + 1 else { return true }
    let target = partTarget.map { Double($0.value) / Double($0.timescale) } ?? 1
    let advance = target < 1 ? Int((3 / max(target, 0.01)).rounded(.up)) : 3
    return part < growingParts + advance
  }
}

extension PublishedPlaylist {
  /// - Parameter partTarget: the longest duration of a part, once it is known.
  init(of line: LiveLine, _ playlist: MediaPlaylist, partTarget: RationalTime?) {
    self.init(
      "\(line.folder)/index.m3u8", lastSegment: line.mediaSequence + line.segments.count - 1,
      growingParts: line.growing?.parts.count ?? 0, targetDuration: playlist.targetDuration,
      partTarget: partTarget)
    lastParts = line.segments.last.flatMap {
      $0.hasParts && !$0.parts.isEmpty ? $0.parts.count : nil
    }
    nextPart = line.nextPart.map { "\(line.folder)/\($0)" }
    isEnded = playlist.isEnded
    let update = playlist.update
    self.update = update.skippedSegments > 0 ? update.text : nil
  }
}
