// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia
internal import HLS

/// The contents of a folder with a live presentation that an earlier process wrote, or that ended in this one.
struct LeftPresentation {
  /// The playlists, each with segments of the same numbers; empty if they cannot be read.
  private(set) var lines: [LiveLine] = []
  /// Whether its playlists declare that nothing more comes.
  private(set) var isEnded = false
  /// The target duration in seconds.
  private(set) var targetDuration = 0
  /// The longest duration of a part, in microseconds; `nil` where there are no parts.
  private(set) var partLimit: Int64?
  /// The lowest numbers that no segment, part, header or discontinuity has had.
  private(set) var memo: LiveMemo
  /// The time at which the last segment was written, in seconds since 1970.
  private(set) var written: Int?

  /// Whether it was written with the same durations of segments and parts as requested now, as far as known.
  let isAsAsked: Bool

  init(_ files: LiveFiles, _ options: LivePresentation.Options) {
    let known = files.memo.flatMap { LiveMemo($0) }
    memo = known ?? LiveMemo(options)
    isAsAsked = memo.isAsked(LiveMemo(options))
    for name in files.names {
      let last = name.drop { $0 != "/" }.dropFirst()
      guard let number = LiveFiles.number(of: last) else { continue }
      if last.hasPrefix("part-") {
        memo.nextPart = max(memo.nextPart, number + 1)
      } else if last.hasPrefix("init-") {
        memo.nextHeader = max(memo.nextHeader, number + 1)
      } else {
        // One track may have had the number before the others, so that no playlist names it.
        memo.nextSegment = max(memo.nextSegment, number + 1)
      }
    }
    let (noted, tracks) = (memo.nextSegment, Self.tracks(files))
    for (folder, rate) in tracks {
      guard case .media(let playlist) = files.playlist("\(folder)/index.m3u8") else { continue }
      var keyFrames: MediaPlaylist?
      if case .media(let found) = files.playlist("\(folder)/iframes.m3u8") { keyFrames = found }
      guard
        let line = LiveLine(
          folder: folder, playlist, keyFrames: keyFrames, rate: rate,
          independentFrom: memo.independentFrom)
      else { continue }
      lines.append(line)
      isEnded = playlist.isEnded
      targetDuration = max(targetDuration, min(playlist.targetDuration, 86_400))
      partLimit = partLimit ?? playlist.partTiming?.target.rounded(to: 1_000_000)
      count(line, playlist)
    }
    if !lines.isEmpty, lines.count == tracks.count { align(files, noted) } else { lines = [] }
  }

  /// Returns the folders of the tracks that the multivariant playlist names, with their pictures per second.
  private static func tracks(_ files: LiveFiles) -> [(folder: String, rate: RationalTime?)] {
    guard case .multivariant(let playlist) = files.playlist("index.m3u8") else { return [] }
    var tracks: [(folder: String, rate: RationalTime?)] = []
    for (name, rate) in playlist.variants.map({ ($0.name, $0.frameRate) })
      + playlist.renditions.compactMap({ rendition in rendition.name.map { ($0, nil) } })
    {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, LiveLine.isNamed(parts[0]), parts[1] == "index.m3u8" else {
        return []
      }
      if !tracks.contains(where: { $0.folder == parts[0] }) {
        tracks.append((String(parts[0]), rate))
      }
    }
    return tracks
  }

  /// Records the numbers that players may have seen.
  private mutating func count(_ line: LiveLine, _ playlist: MediaPlaylist) {
    memo.nextSegment = max(memo.nextSegment, line.end)
    memo.discontinuity = max(memo.discontinuity, line.lastDiscontinuity)
    let parts = playlist.segments.flatMap(\.parts) + (playlist.growing?.parts ?? [])
    for name in parts.map(\.name) + [playlist.partHint].compactMap(\.self) {
      memo.nextPart = max(memo.nextPart, (LiveFiles.number(of: name) ?? -1) + 1)
    }
    for segment in line.segments {
      memo.nextHeader = max(memo.nextHeader, (LiveFiles.number(of: segment.header) ?? -1) + 1)
    }
  }

  /// Gives all playlists segments of the same numbers, because the process may have been killed between writing two of
  /// them. Missing segments, and segments that players may have seen although no playlist names them, are replaced by
  /// gaps.
  private mutating func align(_ files: LiveFiles, _ noted: Int) {
    let first = lines.map(\.mediaSequence).max() ?? 0
    guard let model = lines.max(by: { $0.end < $1.end }),
      lines.allSatisfy({ $0.end > first && $0.end + Self.mostGaps >= model.end })
    else {
      lines = []
      return
    }
    for index in lines.indices {
      lines[index].dropSegments(before: first)
      while lines[index].end < model.end {
        let place = lines[index].end - model.mediaSequence
        lines[index].addGap(like: model.segments[place])
      }
      let folder = lines[index].folder
      lines[index].leaveGaps { !files.holds("\(folder)/\($0)") }
    }
    guard lines.allSatisfy({ !$0.segments.isEmpty }), noted <= model.end + Self.mostGaps else {
      lines = []
      return
    }
    let begun = lines.compactMap(\.growing?.span).max() ?? 0
    for index in lines.indices {
      lines[index].growing = nil
      if begun > 0 { lines[index].addGap(of: begun) }
      while lines[index].end < noted {
        lines[index].addGap(of: Int64(targetDuration) * 1_000_000)
      }
      lines[index].measure(files)
    }
    memo.nextSegment = lines[0].end
    written = lines.compactMap { $0.written(files) }.max()
  }

  /// Removes gaps at the end, because nothing comes after them.
  mutating func dropLastGaps() {
    while !lines.isEmpty, lines.allSatisfy({ $0.segments.last?.isGap == true }) {
      for index in lines.indices { lines[index].segments.removeLast() }
    }
  }

  /// The largest number of segments that are missing from some or all playlists.
  private static let mostGaps = 2

  /// The duration of the stream for which parts are kept, in microseconds.
  var partPatience: Int64 { 3 * Int64(targetDuration) * 1_000_000 }

  /// Returns whether it may still have players: its last segment was written less than this many seconds ago.
  func isRecent(within seconds: Int, at now: Int) -> Bool {
    written.map { now - $0 < seconds } ?? false
  }
}

extension LiveLine {
  /// Reads from the files what playlists do not contain.
  fileprivate mutating func measure(_ files: LiveFiles) {
    var codecs: [String: String] = [:]
    for index in segments.indices where !segments[index].isGap {
      let header = segments[index].header
      segments[index].size = files.identity("\(folder)/\(segments[index].name)")?.size ?? 0
      if codecs[header] == nil {
        let bytes = files.bytes("\(folder)/\(header)") ?? []
        codecs[header] = (try? EntryFacts(header: bytes).codec) ?? ""
      }
      segments[index].codec = codecs[header] ?? ""
    }
  }

  /// Returns the time at which the last existing segment was written, in seconds since 1970.
  fileprivate func written(_ files: LiveFiles) -> Int? {
    segments.last { !$0.isGap }.flatMap { files.identity("\(folder)/\($0.name)") }
      .map { $0.times.modificationNanoseconds / 1_000_000_000 }
  }
}
