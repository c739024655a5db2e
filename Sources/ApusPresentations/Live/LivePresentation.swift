// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFiles
public import ApusMedia
public import ApusSamples
internal import HLS
internal import ISOBMFF

/// A presentation for HTTP Live Streaming that is written while its stream arrives: each track as CMAF segments, of
/// which the playlists name the latest. A stream that is resumed continues in it after a discontinuity.
///
/// Files appear whole under their names. A segment that was removed from the playlist is kept for as long as players
/// may want it.
public final class LivePresentation {
  /// The options of a live presentation.
  public struct Options: Hashable, Sendable {
    /// The duration after which the next key frame begins a new segment.
    public var segmentDuration = RationalTime.milliseconds(4000)
    /// The duration of the stream that the playlists name.
    public var window = RationalTime.milliseconds(60_000)
    /// The approximate duration of the parts in which segments are published before they are complete; `nil` for none.
    public var partDuration: RationalTime?
    /// Whether a server holds requests for parts and playlists that do not exist yet.
    public var isBlocking = false
    /// The number of seconds during which an ended stream may be resumed in the same playlists.
    public var patience = 60

    /// Creates options for segments of four seconds and a window of one minute, without parts.
    public init() {}
  }

  let options: Options
  let files: LiveFiles
  var lines: [LiveLine] = []
  /// The current stream, or the last one.
  private(set) var session: LiveSession?
  private(set) var isLive = false
  /// Whether playlists name anything of the current stream.
  public internal(set) var isCurrent = false
  /// The number of the next segment, and of the next header.
  var nextSegment: Int
  var nextHeader: Int
  /// The number of discontinuities before the first segment, where there are no playlists yet.
  var discontinuity = 0
  var targetDuration = 0
  /// Segments that were removed from the playlists.
  var expired = ExpiredFiles()
  /// The bit rates that the multivariant playlist promises, and the codecs that it names.
  var promised: [Int] = []
  var named: [[String]] = []
  /// The channels of closed captions when the multivariant playlist was last written.
  var captions: [[String]] = []
  /// The number of the next part of each track, and the longest duration of a part in microseconds, once it is known.
  var nextPart: Int
  var partLimit: Int64?
  /// Files of parts that were removed from the playlists.
  var expiredParts = ExpiredFiles()
  let date: (Int64) -> String
  /// The time in seconds since 1970, which the number of an earlier segment never exceeds.
  let now: Int
  /// Called for each playlist of a track that was written.
  public var onPlaylist: ((PublishedPlaylist) -> Void)?

  /// - Parameters:
  ///   - folder: the folder for the files; files of the same names in it and its folders are replaced. Existing
  ///     playlists are continued, or else their numbers are.
  ///   - now: the time in seconds since 1970, from which segments are numbered where there are none: no segment is
  ///     shorter than a second, so that no number is used twice.
  ///   - date: returns the time of day this many microseconds ago (ISO 8601).
  public init(
    in folder: String, _ options: Options = Options(), now: Int,
    date: @escaping (_ microsecondsAgo: Int64) -> String
  ) {
    self.options = options
    self.date = date
    self.now = now
    files = LiveFiles(folder.hasSuffix("/") ? folder : folder + "/")
    (nextSegment, nextHeader) = (now, now)
    nextPart = now * Self.mostPartsInSecond
  }

  /// More parts than can occur in a second, so that their numbers also increase when the program is restarted.
  private static let mostPartsInSecond = 32

  /// Begins a stream with these tracks.
  ///
  /// - Returns: the tracks that the presentation cannot hold, as text.
  public func begin(_ tracks: [CodedTrack]) throws -> [String] {
    try endSession()
    try open()
    let isDiscontinuous = lines.contains { !$0.segments.isEmpty }
    let session = LiveSession(tracks, options)
    session.cutParts(limit: partLimit, firstNumber: nextPart)
    nextHeader = max(nextHeader, nextSegment)
    let kinds = session.lines(header: "init-\(nextHeader).mp4", firstNumber: nextSegment)
    nextHeader += 1
    // Playlists of tracks that the stream no longer has would never change again.
    for line in lines where !kinds.contains(where: { $0.folder == line.folder }) { retire(line) }
    lines = kinds.map { line in
      var line = line
      line.follow(lines, nextSegment: nextSegment, discontinuity: discontinuity)
      return line
    }
    if lines.contains(where: { $0.segments.count != lines[0].segments.count }) {
      // Older segments have no counterpart in a rendition that is new.
      let last = lines.map(\.lastDiscontinuity).max() ?? 0
      for index in lines.indices {
        retire(lines[index])
        lines[index].restart(at: nextSegment, discontinuity: last)
      }
    }
    promised = []
    session.isDiscontinuous = isDiscontinuous
    self.session = session
    isLive = true
    isCurrent = false
    return session.refused
  }

  /// Adds an event of the stream.
  public func add(_ event: SourceEvent) throws {
    guard isLive else { return }
    try session?.add(event, in: files)
    try publish()
  }

  /// Ends the stream, which may be resumed.
  public func endSession() throws {
    guard isLive, let session else { return }
    isLive = false
    try session.finish(in: files)
    nextPart = max(nextPart, session.nextPartNumber ?? 0)
    try publish()
  }

  /// Stops the stream after a failed write. Players keep the segments that they know; segments and parts that were
  /// announced beyond that become a gap. The stream may begin again.
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
    // The number of a segment of which players have parts is not reused.
    guard begun > 0, lines.allSatisfy({ !$0.segments.isEmpty }) else { return }
    for index in lines.indices { lines[index].addGap(of: begun) }
    nextSegment += 1
  }

  /// Ends the presentation for good: its playlists are marked as ended.
  public func close() throws {
    defer { release() }
    try endSession()
    guard lines.contains(where: { !$0.segments.isEmpty }) else { return }
    let parts = lines.indices.flatMap { lines[$0].dropAllParts() }
    try writePlaylists(isEnded: true)
    // The listed segments contain everything that was in the parts.
    for name in parts + expiredParts.takeAll() { try files.remove(name) }
  }

  /// Ends the stream without ending the playlists, for a program that may be restarted: players wait for more.
  public func leave() throws {
    defer { release() }
    try endSession()
  }

  /// Whether no other process can write into the folder.
  public var isOpen: Bool { files.isOpen }

  /// Lets other processes write into the folder.
  public func release() {
    isLive = false
    files.close()
  }
}
