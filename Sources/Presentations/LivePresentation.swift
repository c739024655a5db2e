// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import Files
public import Flow
internal import HLS
internal import ISOBMFF
public import Media

/// A presentation for HTTP Live Streaming that is written while its stream comes: each track as CMAF segments, of which the
/// playlists name the latest. A stream that comes again goes on in it after a discontinuity.
///
/// Files appear whole under their names. A segment that has left the playlist stays for as long as players may want it.
public final class LivePresentation {
  public struct Options: Hashable, Sendable {
    /// A segment ends at the first key frame after this.
    public var segmentDuration = RationalTime.milliseconds(4000)
    /// How much of the stream the playlists name.
    public var window = RationalTime.milliseconds(60_000)
    /// About how long the parts are that segments are published in before they are whole; `nil` for none.
    public var partDuration: RationalTime?
    /// Whether a server holds requests for parts and playlists that are not there yet.
    public var isBlocking = false

    public init() {}
  }

  private let options: Options
  private let files: LiveFiles
  private var lines: [LiveLine] = []
  /// The stream that comes, or came last.
  private var session: LiveSession?
  private var isLive = false
  /// Whether playlists name something of the stream that comes.
  public private(set) var isCurrent = false
  /// The number of the next segment, and of the next header.
  private var nextSegment: Int
  private var sessions = 0
  private var targetDuration = 0
  /// Segments that have left the playlists.
  private var expired = ExpiredFiles()
  /// What the playlist of all renditions promises, and the codecs that it names.
  private var promised: [Int] = []
  private var named: [[String]] = []
  /// The number of the next part of each track; and no part is longer, once that is known, in microseconds.
  private var nextPart: Int
  private var partLimit: Int64?
  /// Files of parts that have left the playlists.
  private var expiredParts = ExpiredFiles()
  private let date: (Int64) -> String
  /// Called for each playlist of a track that was written.
  public var onPlaylist: ((PublishedPlaylist) -> Void)?

  /// - Parameters:
  ///   - folder: where the files go; what it and its folders hold of the same names is replaced.
  ///   - firstNumber: of the segments. Where players may go on after the program was started again, it has to be higher
  ///     than the last one of before; the time in seconds is, as no segment is shorter than one.
  ///   - previous: the one that was in the folder before and is closed, whose files go when players have had time for them.
  ///   - date: the time of day so many microseconds ago (ISO 8601).
  public init(
    in folder: String, _ options: Options = Options(), firstNumber: Int,
    after previous: LivePresentation? = nil, date: @escaping (_ microsecondsAgo: Int64) -> String
  ) {
    self.options = options
    self.date = date
    files = LiveFiles(folder.hasSuffix("/") ? folder : folder + "/")
    nextSegment = firstNumber
    nextPart = firstNumber * Self.mostPartsInSecond
    sessions = previous?.sessions ?? 0
    expired = previous?.expired ?? ExpiredFiles()
    for line in previous?.lines ?? [] { retire(line) }
  }

  /// There are never as many, so that parts go on counting, too, after the program was started again.
  private static let mostPartsInSecond = 32

  /// A stream comes, with these tracks.
  ///
  /// - Returns: what has no place in it, in words.
  public func begin(_ tracks: [CodedTrack]) throws -> [String] {
    try endSession()
    sessions += 1
    let isDiscontinuous = lines.contains { !$0.segments.isEmpty }
    let session = LiveSession(tracks, options)
    session.cutParts(limit: partLimit, firstNumber: nextPart)
    let kinds = session.lines(header: "init-\(sessions).mp4", firstNumber: nextSegment)
    // Playlists that the stream does not have any more would stand still.
    for line in lines where !kinds.contains(where: { $0.folder == line.folder }) { retire(line) }
    lines = kinds.map { line in
      var line = line
      line.follow(lines, nextSegment: nextSegment)
      return line
    }
    if lines.contains(where: { $0.segments.count != lines[0].segments.count }) {
      // Segments of a rendition that was not there before have nothing beside them.
      for index in lines.indices {
        retire(lines[index])
        lines[index].mediaSequence = nextSegment
        lines[index].discontinuitySequence += 1
        lines[index].segments = []
      }
    }
    promised = []
    session.isDiscontinuous = isDiscontinuous
    self.session = session
    isLive = true
    isCurrent = false
    return session.refused
  }

  /// Takes in what comes of the stream.
  public func take(_ event: SourceEvent) throws {
    guard isLive else { return }
    try session?.take(event, in: files)
    try publish()
  }

  /// The stream is over, and may come again.
  public func endSession() throws {
    guard isLive, let session else { return }
    isLive = false
    try session.finish(in: files)
    nextPart = max(nextPart, session.nextPartNumber ?? 0)
    try publish()
  }

  /// What came last could not be written. Players keep what they know of; a gap stands for what was announced beyond that.
  /// The stream may begin again.
  public func interrupt() {
    guard isLive else { return }
    (isLive, isCurrent) = (false, false)
    nextPart = max(nextPart, session?.nextPartNumber ?? 0)
    files.discard()
    let begun = lines.compactMap(\.growing?.span).max() ?? 0
    let parts = lines.indices.flatMap { lines[$0].dropAllParts() }
    expiredParts.add(parts, for: partPatience)
    for index in lines.indices {
      lines[index].nextPart = nil
      let folder = lines[index].folder
      lines[index].leaveGaps { !files.holds("\(folder)/\($0)") }
    }
    // The number of the segment that players have parts of is not given to another.
    guard begun > 0, lines.allSatisfy({ !$0.segments.isEmpty }) else { return }
    for index in lines.indices { lines[index].addGap(of: begun) }
    nextSegment += 1
  }

  /// The stream does not come again: players end with what there is.
  public func close() throws {
    try endSession()
    guard lines.contains(where: { !$0.segments.isEmpty }) else { return }
    let parts = lines.indices.flatMap { lines[$0].dropAllParts() }
    try writePlaylists(isEnded: true)
    // The segments that are named now have all that was in them.
    for name in parts + expiredParts.takeAll() { try files.remove(name) }
  }

  // MARK: - Playlists

  /// Names what all tracks have by now.
  private func publish() throws {
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
    try files.commit()
    // Before its first segment is whole nobody knows what a playlist has to promise.
    guard lines.first?.segments.isEmpty == false else { return }
    if hasSegments { isCurrent = true }
    try writePlaylists(isEnded: false, changed: hasSegments ? nil : changed)
    if hasSegments { try removeExpired() }
  }

  /// Names the parts of the segments that are not whole yet.
  ///
  /// - Returns: which tracks have new ones.
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

  /// Takes the oldest out of the playlists, as long as those that stay fill the window.
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
        lines[index].mediaSequence += 1
        lines[index].keyFrameSequence += segment.keyFrames.count
        if segment.isDiscontinuous { lines[index].discontinuitySequence += 1 }
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

  /// Lets the files of a track go whose playlist does not name them any more.
  private func retire(_ line: LiveLine) {
    let names = line.segments.flatMap { [$0.name, $0.header] + $0.parts.map(\.name) }
    expired.add(names.map { "\(line.folder)/\($0)" }, for: patience)
  }

  /// How much of the stream the playlists name, in microseconds.
  private var window: Int64 { options.window.rounded(to: 1_000_000) ?? 0 }
  /// How long segments stay: a player may have read the longest playlist just before (RFC 8216, 6.2.2).
  private var patience: Int64 { window + 2 * Int64(targetDuration) * 1_000_000 }
  /// How long parts stay.
  private var partPatience: Int64 { 3 * Int64(targetDuration) * 1_000_000 }

  /// A playlist has at least three target durations: RFC 8216, 6.2.2.
  private static let leastSegments = 4

  private func removeExpired() throws {
    for name in expired.takeDue() + expiredParts.takeDue() { try files.remove(name) }
  }

  /// - Parameter changed: which tracks have new parts; `nil` where segments are new.
  private func writePlaylists(isEnded: Bool, changed: [Bool]? = nil) throws {
    for (index, line) in lines.enumerated() where changed?[index] != false {
      let playlist = playlist(of: line, isEnded: isEnded)
      try files.write(
        playlist.text, to: "\(line.folder)/index.m3u8",
        isAwaited: isEnded || options.partDuration == nil)
      onPlaylist?(
        PublishedPlaylist(
          of: line, playlist, partTarget: partLimit.map { RationalTime($0, per: 1_000_000) }))
    }
    guard let session, session.isBegun, changed == nil else { return }
    for line in lines where line.hasKeyFrames {
      try files.write(
        line.keyFramePlaylist(targetDuration: targetDuration, isEnded: isEnded).text,
        to: "\(line.folder)/iframes.m3u8", isAwaited: isEnded || options.partDuration == nil)
    }
    let peaks =
      lines.map { $0.peak(target: targetDuration, isEnded: isEnded) }
      + lines.map { $0.keyFrameRates.peak(target: targetDuration) }
    // What is promised holds until more comes.
    let isPromised =
      promised.count == peaks.count && zip(promised, peaks).allSatisfy { $0 >= $1 }
      && named == lines.map(\.codecs)
    // What is said of the stream before holds as long as there is nothing of this one.
    guard isCurrent, !isPromised || isEnded else { return }
    promised = isEnded ? peaks : peaks.map { $0 + $0 / 4 }
    named = lines.map(\.codecs)
    var report = try session.report(lines)
    for index in report.renditions.indices {
      report.renditions[index].peakRate = promised[index]
      report.renditions[index].keyFramePlaylist?.peakRate = promised[lines.count + index]
    }
    try files.write(report.playlist().text, to: "index.m3u8", isAwaited: true)
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
