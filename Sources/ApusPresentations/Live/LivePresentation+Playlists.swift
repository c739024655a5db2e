// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFiles
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF

/// The playlists of a live presentation.
extension LivePresentation {
  /// Adds the segments and parts that all tracks have by now to the playlists.
  func publish() throws {
    guard let session else { return }
    var hasSegments = false
    while let segments = session.nextSegments(date) {
      for (index, segment) in segments.enumerated() { lines[index].segments.append(segment) }
      nextSegment += 1
      let duration = segments.map(\.microseconds).max() ?? 0
      targetDuration = max(
        targetDuration, Int(options.segmentDuration.rounded(to: 1) ?? 1),
        MediaPlaylist.targetDuration(of: segments.map(\.duration)))
      expire(after: duration)
      hasSegments = true
    }
    let changed = grow(session)
    guard hasSegments || changed.contains(true) else { return }
    let old = lines.indices.flatMap { lines[$0].dropParts(targetDuration: targetDuration) }
    expiredParts.add(old, for: partPatience)
    try files.commit(memo.words)
    // The values that a playlist has to promise are unknown before its first segment is complete.
    guard lines.first?.segments.isEmpty == false else { return }
    if hasSegments { isCurrent = true }
    try writePlaylists(isEnded: false, changed: hasSegments ? nil : changed)
    if hasSegments { try removeExpired() }
  }

  /// Adds the parts of incomplete segments to the playlists.
  ///
  /// - Returns: for each track, whether it has new parts.
  private func grow(_ session: LiveSession) -> [Bool] {
    partLimit = partLimit ?? session.partLimit
    return lines.indices.map { index in
      let growing = isLive ? session.growing(index, date) : nil
      lines[index].nextPart = isLive ? session.nextPart(index) : nil
      let isNew = growing?.parts.count != lines[index].growing?.parts.count
      lines[index].growing = growing
      return isNew
    }
  }

  /// Removes the oldest segments from the playlists, as long as the remaining ones fill the window.
  private func expire(after duration: Int64) {
    expired.pass(duration)
    expiredParts.pass(duration)
    guard let leading = lines.first else { return }
    var total = leading.segments.reduce(0) { $0 + $1.microseconds }
    while let first = lines[0].segments.first, total - first.microseconds >= window,
      lines[0].segments.count > Self.leastSegments
    {
      total -= first.microseconds
      var names: [String] = []
      for index in lines.indices {
        let segment = lines[index].segments.removeFirst()
        lines[index].count(gone: segment)
        names.append("\(lines[index].folder)/\(segment.name)")
        names += segment.parts.map { "\(lines[index].folder)/\($0.name)" }
        let header = segment.header
        if !lines[index].segments.contains(where: { $0.header == header }) {
          names.append("\(lines[index].folder)/\(header)")
        }
      }
      expired.add(names, for: patience)
    }
  }

  /// Schedules the removal of the files of a track that has no playlist any more.
  func retire(_ line: LiveLine) {
    let names = line.segments.flatMap { [$0.name, $0.header] + $0.parts.map(\.name) }
    expired.add(names.map { "\(line.folder)/\($0)" }, for: patience)
  }

  /// The duration of the stream that the playlists name, in microseconds.
  var window: Int64 { options.window.rounded(to: 1_000_000) ?? 0 }
  /// The duration of the stream for which segments are kept, in microseconds: a player may have read the longest
  /// playlist just before (RFC 8216, 6.2.2).
  var patience: Int64 { window + 2 * Int64(targetDuration) * 1_000_000 }
  /// The duration of the stream for which parts are kept, in microseconds.
  var partPatience: Int64 { 3 * Int64(targetDuration) * 1_000_000 }

  /// A playlist has at least three target durations: RFC 8216, 6.2.2.
  private static let leastSegments = 4

  private func removeExpired() throws {
    for name in expired.takeDue() + expiredParts.takeDue() { try files.remove(name) }
  }

  /// - Parameter changed: for each track, whether it has new parts; `nil` where segments are new.
  func writePlaylists(isEnded: Bool, changed: [Bool]? = nil) throws {
    // At the end the multivariant playlist promises more, which is true of the others even before they end.
    if isEnded { try writeMultivariant(isEnded: true) }
    for (index, line) in lines.enumerated() where changed?[index] != false {
      let playlist = playlist(of: line, isEnded: isEnded)
      try files.write(
        playlist.text, to: "\(line.folder)/index.m3u8",
        isAwaited: isEnded || options.partDuration == nil)
      onPlaylist?(
        PublishedPlaylist(
          of: line, playlist, partTarget: partLimit.map { RationalTime($0, per: 1_000_000) }))
    }
    guard changed == nil else { return }
    for line in lines where line.hasKeyFrames {
      try files.write(
        line.keyFramePlaylist(targetDuration: targetDuration, isEnded: isEnded).text,
        to: "\(line.folder)/iframes.m3u8", isAwaited: isEnded || options.partDuration == nil)
    }
    if !isEnded { try writeMultivariant(isEnded: false) }
  }

  private func writeMultivariant(isEnded: Bool) throws {
    let peaks =
      lines.map { $0.peak(target: targetDuration, isEnded: isEnded) }
      + lines.map { $0.keyFrameRates.peak(target: targetDuration) }
    // Promised values stay valid until more comes.
    let isPromised =
      promised.count == peaks.count && zip(promised, peaks).allSatisfy { $0 >= $1 }
      && named == lines.map(\.codecs) && captions == session?.captions
    // The playlist of the previous stream stays as long as there is nothing of this one.
    guard let session, session.isBegun, isCurrent, !isPromised || isEnded else {
      return isEnded ? try completeMultivariant() : ()
    }
    promised = isEnded ? peaks : peaks.map { $0 + $0 / 4 }
    named = lines.map(\.codecs)
    captions = session.captions
    var report = try session.report(lines, isEnded: isEnded)
    for index in report.renditions.indices {
      report.renditions[index].peakRate = promised[index]
      report.renditions[index].keyFramePlaylist?.peakRate = promised[lines.count + index]
    }
    try files.write(report.playlist().text, to: "index.m3u8", isAwaited: true)
  }

  /// Adds to the multivariant playlist of the previous stream what is certain once nothing more comes.
  private func completeMultivariant() throws {
    guard case .multivariant(var playlist) = files.playlist("index.m3u8"),
      lines.allSatisfy({ $0.isIndependent(isEnded: true) }), !playlist.hasIndependentSegments
    else { return }
    playlist.hasIndependentSegments = true
    try files.write(playlist.text, to: "index.m3u8", isAwaited: true)
  }

  private func playlist(of line: LiveLine, isEnded: Bool) -> MediaPlaylist {
    var playlist =
      if let partLimit, !isEnded {
        line.playlist(
          targetDuration: targetDuration, partTarget: RationalTime(partLimit, per: 1_000_000),
          isBlocking: options.isBlocking, beside: lines)
      } else {
        line.playlist(targetDuration: targetDuration, isEnded: isEnded)
      }
    if options.isBlocking, !isEnded {
      let boundary = MediaPlaylist.leastSkipBoundary * targetDuration
      playlist.skipBoundary = RationalTime(Int64(boundary), per: 1)
      playlist.version = max(playlist.version, 9)
    }
    return playlist
  }
}
