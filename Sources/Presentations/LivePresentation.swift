// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import Files
public import Flow
internal import HLS
internal import ISOBMFF
public import Media

/// A presentation for HTTP Live Streaming that is written while its stream comes: each track as CMAF segments, of which the
/// playlists name the latest. A stream that comes again continues in it after a discontinuity.
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
    /// For how many seconds a stream that is over may come again and go on in the same playlists.
    public var patience = 60

    public init() {}
  }

  let options: Options
  let files: LiveFiles
  var lines: [LiveLine] = []
  /// The stream that comes, or came last.
  private(set) var session: LiveSession?
  private(set) var isLive = false
  /// Whether playlists name something of the stream that comes.
  public internal(set) var isCurrent = false
  /// The number of the next segment, and of the next header.
  var nextSegment: Int
  var nextHeader: Int
  /// The number of discontinuities before the first segment, where nothing is there.
  var discontinuity = 0
  var targetDuration = 0
  /// Segments that have left the playlists.
  var expired = ExpiredFiles()
  /// What the playlist of all renditions promises, and the codecs that it names.
  var promised: [Int] = []
  var named: [[String]] = []
  /// The number of the next part of each track; and no part is longer, once that is known, in microseconds.
  var nextPart: Int
  var partLimit: Int64?
  /// Files of parts that have left the playlists.
  var expiredParts = ExpiredFiles()
  let date: (Int64) -> String
  /// The time in seconds, which no number of a segment that was written before is above.
  let now: Int
  /// Called for each playlist of a track that was written.
  public var onPlaylist: ((PublishedPlaylist) -> Void)?

  /// - Parameters:
  ///   - folder: where the files go; what it and its folders hold of the same names is replaced. Playlists that are there
  ///     go on, or else their numbers do.
  ///   - now: the time in seconds since 1970, from which segments are numbered where nothing is there: no segment is
  ///     shorter than a second, so that no number comes twice.
  ///   - date: the time of day so many microseconds ago (ISO 8601).
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

  /// There are never as many, so that parts go on counting, too, after the program was started again.
  private static let mostPartsInSecond = 32

  /// A stream comes, with these tracks.
  ///
  /// - Returns: what it cannot hold, as text.
  public func begin(_ tracks: [CodedTrack]) throws -> [String] {
    try endSession()
    try open()
    let isDiscontinuous = lines.contains { !$0.segments.isEmpty }
    let session = LiveSession(tracks, options)
    session.cutParts(limit: partLimit, firstNumber: nextPart)
    nextHeader = max(nextHeader, nextSegment)
    let kinds = session.lines(header: "init-\(nextHeader).mp4", firstNumber: nextSegment)
    nextHeader += 1
    // Playlists that the stream does not have any more would stand still.
    for line in lines where !kinds.contains(where: { $0.folder == line.folder }) { retire(line) }
    lines = kinds.map { line in
      var line = line
      line.follow(lines, nextSegment: nextSegment, discontinuity: discontinuity)
      return line
    }
    if lines.contains(where: { $0.segments.count != lines[0].segments.count }) {
      // Segments of a rendition that was not there before have nothing beside them.
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

  /// Takes in what comes of the stream.
  public func add(_ event: SourceEvent) throws {
    guard isLive else { return }
    try session?.add(event, in: files)
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
    defer { release() }
    try endSession()
    guard lines.contains(where: { !$0.segments.isEmpty }) else { return }
    let parts = lines.indices.flatMap { lines[$0].dropAllParts() }
    try writePlaylists(isEnded: true)
    // The segments that are named now have all that was in them.
    for name in parts + expiredParts.takeAll() { try files.remove(name) }
  }

  /// The program ends, and may be started again: players wait for what comes next.
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
