// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HLS

/// The playlists for players with low latency: RFC 8216bis, 4.4.4.9 and Appendix B.
extension LiveLine {
  /// The number of the last segment, which may be incomplete, and that of its last part.
  var last: (segment: Int, part: Int?) {
    if let growing, !growing.parts.isEmpty {
      return (mediaSequence + segments.count, growing.parts.count - 1)
    }
    let parts = segments.last?.listedParts.count ?? 0
    return (mediaSequence + segments.count - 1, parts > 0 ? parts - 1 : nil)
  }

  /// Returns the playlist with the parts of the latest segments.
  ///
  /// - Parameters:
  ///   - isBlocking: whether requests for parts that do not exist yet are held.
  ///   - others: the other playlists of the presentation.
  func playlist(
    targetDuration: Int, partTarget: RationalTime, isBlocking: Bool, beside others: [LiveLine]
  ) -> MediaPlaylist {
    var playlist = playlist(targetDuration: targetDuration, isEnded: false)
    // The revision with parts has had this version number since its first draft.
    playlist.version = 9
    var timing = PartTiming(target: partTarget)
    timing.holdBack = RationalTime(partTarget.value * 3, per: partTarget.timescale)
    timing.canBlockReload = isBlocking
    playlist.partTiming = timing
    playlist.growing = growing?.listed
    // A server of plain files would answer that the part is missing.
    playlist.partHint = isBlocking ? nextPart : nil
    playlist.renditionReports = others.filter { $0.folder != folder }.map { other in
      let last = other.last
      return RenditionReport(
        "../\(other.folder)/index.m3u8", lastSegment: last.segment, lastPart: last.part)
    }
    return playlist
  }

  /// Removes the parts of segments that ended more than three target durations ago.
  ///
  /// - Returns: the names of their files.
  mutating func dropParts(targetDuration: Int) -> [String] {
    var names: [String] = []
    var after = growing?.span ?? 0
    for index in segments.indices.reversed() {
      if after > Int64(targetDuration) * 3_000_000 {
        names += segments[index].parts.map { "\(folder)/\($0.name)" }
        segments[index].parts = []
      }
      after += segments[index].microseconds
    }
    return names
  }

  /// Removes all parts.
  ///
  /// - Returns: the names of their files.
  mutating func dropAllParts() -> [String] {
    let names = (segments + [growing].compactMap(\.self)).flatMap(\.parts).map(\.name)
    for index in segments.indices { segments[index].parts = [] }
    growing = nil
    return names.map { "\(folder)/\($0)" }
  }
}

extension LiveLine.Segment {
  fileprivate var listedParts: [SegmentedPart] { hasParts ? parts : [] }

  /// The segment's entry in a playlist.
  var listed: MediaPlaylist.Segment {
    var segment = MediaPlaylist.Segment(name, duration: duration)
    segment.header = MediaPlaylist.Header(header)
    segment.isDiscontinuous = isDiscontinuous
    segment.date = date
    segment.isGap = isGap
    segment.parts = listedParts.map { part in
      var listed = PartialSegment(part.name, duration: part.duration)
      listed.isIndependent = part.isIndependent
      return listed
    }
    return segment
  }
}
