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

    public init() {}
  }

  private let options: Options
  private let files: LiveFiles
  private var lines: [LiveLine] = []
  /// The stream that comes, or came last.
  private var session: LiveSession?
  private var isLive = false
  /// The number of the next segment, and of the next header.
  private var nextSegment: Int
  private var sessions = 0
  private var targetDuration = 0
  /// Segments that have left the playlists, and how much was added since; the oldest first.
  private var expired: [(names: [String], left: Int64)] = []
  /// What the playlist of all renditions promises.
  private var promised: [Int] = []

  private let date: (Int64) -> String

  /// - Parameters:
  ///   - folder: where the files go; what it and its folders hold of the same names is replaced.
  ///   - firstNumber: of the segments. Where players may go on after the program was started again, it has to be higher
  ///     than the last one of before; the time in seconds is, as no segment is shorter than one.
  ///   - date: the time of day so many microseconds ago (ISO 8601).
  public init(
    in folder: String, _ options: Options = Options(), firstNumber: Int,
    date: @escaping (_ microsecondsAgo: Int64) -> String
  ) {
    self.options = options
    self.date = date
    files = LiveFiles(folder.hasSuffix("/") ? folder : folder + "/")
    nextSegment = firstNumber
  }

  /// A stream comes, with these tracks.
  ///
  /// - Returns: what has no place in it, in words.
  public func begin(_ tracks: [CodedTrack]) throws -> [String] {
    try endSession()
    sessions += 1
    let isDiscontinuous = lines.contains { !$0.segments.isEmpty }
    let session = LiveSession(tracks, options)
    let kinds = session.lines(header: "init-\(sessions).mp4", firstNumber: nextSegment)
    // Playlists that the stream does not have any more would stand still.
    lines = kinds.map { line in
      var line = line
      if let old = lines.first(where: { $0.folder == line.folder }) {
        line.segments = old.segments
        (line.mediaSequence, line.discontinuitySequence) =
          (old.mediaSequence, old.discontinuitySequence)
      } else {
        line.mediaSequence = lines.first?.mediaSequence ?? nextSegment
        line.discontinuitySequence = lines.first?.discontinuitySequence ?? 0
      }
      return line
    }
    if lines.contains(where: { $0.segments.count != lines[0].segments.count }) {
      // Segments of a rendition that was not there before have nothing beside them.
      for index in lines.indices {
        lines[index].mediaSequence = nextSegment
        lines[index].discontinuitySequence += 1
        lines[index].segments = []
      }
    }
    promised = []
    session.isDiscontinuous = isDiscontinuous
    self.session = session
    isLive = true
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
    try publish()
  }

  /// The stream does not come again: players end with what there is.
  public func close() throws {
    try endSession()
    guard lines.contains(where: { !$0.segments.isEmpty }) else { return }
    try writePlaylists(isEnded: true)
  }

  // MARK: - Playlists

  /// Names what all tracks have by now.
  private func publish() throws {
    guard let session else { return }
    var hasNews = false
    while let segments = session.nextSegments(date) {
      for (index, segment) in segments.enumerated() { lines[index].segments.append(segment) }
      nextSegment += 1
      let duration = segments.map(\.microseconds).max() ?? 0
      targetDuration = max(
        targetDuration, Int(options.segmentDuration.rounded(to: 1) ?? 1),
        MediaPlaylist.targetDuration(of: segments.map(\.duration)))
      expire(after: duration)
      hasNews = true
    }
    guard hasNews else { return }
    try files.commit()
    try writePlaylists(isEnded: false)
    try removeExpired()
  }

  /// Takes the oldest out of the playlists, as long as those that stay fill the window.
  private func expire(after duration: Int64) {
    for index in expired.indices { expired[index].left -= duration }
    let window = options.window.rounded(to: 1_000_000) ?? 0
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
        if segment.isDiscontinuous { lines[index].discontinuitySequence += 1 }
        names.append("\(lines[index].folder)/\(segment.name)")
        let header = segment.header
        if !lines[index].segments.contains(where: { $0.header == header }) {
          names.append("\(lines[index].folder)/\(header)")
        }
      }
      // A player may have read the longest playlist just before: RFC 8216, 6.2.2.
      expired.append((names, window + 2 * Int64(targetDuration) * 1_000_000))
    }
  }

  /// A playlist has at least three target durations: RFC 8216, 6.2.2.
  private static let leastSegments = 4

  private func removeExpired() throws {
    while let first = expired.first, first.left <= 0 {
      expired.removeFirst()
      for name in first.names { try files.remove(name) }
    }
  }

  private func writePlaylists(isEnded: Bool) throws {
    for line in lines {
      try files.write(
        line.playlist(targetDuration: targetDuration, isEnded: isEnded).text,
        to: "\(line.folder)/index.m3u8")
    }
    guard let session else { return }
    let peaks = lines.map { $0.peak(target: targetDuration) }
    // What is promised holds until more comes.
    let isPromised =
      promised.count == peaks.count && zip(promised, peaks).allSatisfy { $0 >= $1 }
    guard !isPromised || isEnded else { return }
    promised = isEnded ? peaks : peaks.map { $0 + $0 / 4 }
    var report = try session.report(lines)
    for index in report.renditions.indices { report.renditions[index].peakRate = promised[index] }
    try files.write(report.playlist().text, to: "index.m3u8")
  }
}
