// SPDX-License-Identifier: MIT

internal import ApusFiles
internal import ApusMedia
internal import HLS

/// The continuation of a presentation that an earlier process wrote, or that ended in this one.
extension LivePresentation {
  /// Opens the folder and continues the presentation in it: with its playlists if they may still have players, or else
  /// with its numbers. Files that no playlist names are removed when players have had time for them.
  func open() throws {
    guard !files.isOpen else { return }
    try files.open()
    let left = LeftPresentation(files, options)
    nextPart = max(nextPart, left.memo.nextPart)
    nextHeader = max(nextHeader, left.memo.nextHeader)
    // The last segment may have been followed by most of another one.
    let wait = options.patience + left.targetDuration
    // A playlist must not change the durations that it promised.
    if left.isAsAsked, left.isRecent(within: wait, at: now) {
      (lines, nextSegment) = (left.lines, left.memo.nextSegment)
      (targetDuration, partLimit) = (left.targetDuration, left.partLimit)
    } else {
      nextSegment = max(nextSegment, left.memo.nextSegment)
      discontinuity = left.memo.nextSegment > 0 ? left.memo.discontinuity + 1 : 0
      lines = left.lines.map { line in
        var line = line
        line.restart(at: nextSegment, discontinuity: discontinuity)
        return line
      }
    }
    let names = unnamed(beside: lines)
    expired.add(names.filter { !SegmentedPart.isNamed($0) }, for: patience(of: left))
    expiredParts.add(names.filter(SegmentedPart.isNamed), for: left.partPatience)
  }

  /// Tells players that nothing more comes of a stream whose process was killed, if they have waited long enough, and
  /// removes files that no playlist names any more.
  public func endLeft() throws {
    try files.open()
    defer { files.close() }
    var left = LeftPresentation(files, options)
    // In a folder that was copied no file is ours.
    guard !files.names.isEmpty, let written = left.written,
      !left.isRecent(within: options.patience, at: now)
    else { return }
    left.dropLastGaps()
    (lines, targetDuration) = (left.lines, left.targetDuration)
    if !left.isEnded, lines.contains(where: { !$0.segments.isEmpty }) {
      try writePlaylists(isEnded: true)
    }
    guard now - written > patience(of: left) / 1_000_000 else { return }
    for name in unnamed(beside: lines) { try files.remove(name) }
  }

  /// Returns the files that are ours and are not named by playlists.
  private func unnamed(beside lines: [LiveLine]) -> [String] {
    let named = Set(
      lines.flatMap { line in
        line.segments.flatMap { ["\(line.folder)/\($0.name)", "\(line.folder)/\($0.header)"] }
      })
    return files.names.filter { !named.contains($0) }
  }

  /// Returns the duration of the stream, in microseconds, for which files are kept that the playlists of an earlier
  /// presentation name or have named.
  private func patience(of left: LeftPresentation) -> Int64 {
    let longest = left.lines.map { $0.segments.reduce(0) { $0 + $1.microseconds } }.max() ?? 0
    return max(window, longest) + 2 * Int64(left.targetDuration) * 1_000_000
  }

  /// The facts that a later process needs.
  var memo: LiveMemo {
    var memo = LiveMemo(options)
    (memo.nextSegment, memo.nextPart, memo.nextHeader) = (nextSegment, nextPart, nextHeader)
    memo.discontinuity = lines.map(\.lastDiscontinuity).max() ?? 0
    memo.independentFrom = lines.map(\.independentFrom).max() ?? 0
    return memo
  }
}
