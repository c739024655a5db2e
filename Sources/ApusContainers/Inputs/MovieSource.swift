// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ApusSamples
internal import HEVC
internal import ISOBMFF

/// The samples of an MP4 or QuickTime file, fragmented or not: ISO/IEC 14496-12. Payloads stay in the file.
///
/// Times are those of the presentation: edit lists are applied, and decoding times are moved forward as far as negative
/// composition offsets require. No sample is left out because of an edit; those before its beginning have times below
/// 0.
public struct MovieSource: SampleSource, Sendable {
  /// The tracks that are read, in the order of the file.
  public private(set) var tracks: [CodedTrack]
  /// The metadata of the movie that another container may take over.
  public private(set) var details: MediaDetails
  /// The parts that are left out, and the reasons.
  public let warnings: [String]
  private var readers: [MovieTrackReader] = []
  /// The tracks that have samples left, by the time at which the next is decoded.
  private var queue = TimeQueue()
  /// The ID of each track.
  package private(set) var trackIDs: [UInt32] = []

  /// - Parameters:
  ///   - isSalvaging: whether a track ends where the file is damaged, instead of the file being refused.
  ///   - chosen: the ID of the only track to be read, which may then also be a picture track.
  public init(
    _ source: any ByteSource, limits: Limits = Limits(), isSalvaging: Bool = false,
    track chosen: UInt32? = nil
  ) throws {
    var tree = try BoxTree(reading: source, limits: limits)
    var movie = Movie(tree)
    guard var moov = tree.located.first(where: { $0.node.type == "moov" }), !movie.tracks.isEmpty
    else {
      let isSegment = tree.boxes.contains { $0.type == "moof" }
      throw MediaError(
        .unsupported, of: .part("moov"),
        isSegment
          ? "is missing: this is a segment, which goes after its initialization segment in one file"
          : isSalvaging && tree.boxes.contains { $0.type == "mdat" }
            ? "is missing: it would have followed the media data, which cannot be read without it"
            : "is missing, or has no tracks")
    }
    if let chosen, !movie.tracks.contains(where: { $0.id == chosen }) {
      let ids = movie.tracks.map { "\($0.id)" }.joined(separator: ", ")
      throw MediaError(
        .misuse, of: .part("track \(chosen)"), "is not in the file, which has \(ids)")
    }
    var warnings = isSalvaging ? Self.cuts(in: tree) : []
    var doubts = MovieDoubts(tree)
    var places: [UInt32: Int] = [:]
    var references: [[LocatedNode]] = []
    var bytes = 0
    var coverage = MediaCoverage()
    // Whether there are tracks whose samples are unknown.
    var isIncomplete = false
    let chapterTracks = Set(movie.tracks.flatMap { $0.references(of: "chap") })
    let chapterID = movie.tracks.first { chapterTracks.contains($0.id) && $0.handler == "text" }?.id
    let isHeader = moov.child("mvex") != nil && !tree.boxes.contains { $0.type == "moof" }
    let headers = HeadersReader()
    let most = chosen == nil ? movie.tracks.count : 1
    tracks = []
    tracks.reserveCapacity(most)
    readers.reserveCapacity(most)
    // The boxes of each track, of which there may be very many, are freed as soon as its reader is made.
    var waiting: [Track] = movie.tracks.reversed()
    movie.tracks = []
    tree = BoxTree(boxes: [])
    moov.node.children.removeAll { $0.type == "trak" }
    while let track = waiting.popLast() {
      guard chosen == nil || track.id == chosen else { continue }
      let kind = Self.kind(
        of: track, isChapters: chapterTracks.contains(track.id), isChosen: chosen != nil)
      let opened: OpenedMovieTrack
      do {
        opened = try OpenedMovieTrack(
          track, kind, in: source, headers: headers,
          isSalvaging: isSalvaging)
      } catch {
        let error = MediaError(error)
        guard kind != .video, kind != .audio, error.kind != .io else { throw error }
        let handler = track.handler.map { "\($0)" } ?? "without a handler"
        warnings.append("\(track.path) (\(handler)) is left out: \(error.message)")
        isIncomplete = true
        continue
      }
      warnings += opened.warnings
      bytes += opened.bytes
      coverage.add(opened.coverage)
      try Self.check(bytes, of: track, in: source, limits)
      guard let samples = opened.samples else {
        warnings.append("\(track.path) has no samples and is left out")
        continue
      }
      places[track.id] = readers.count
      trackIDs.append(track.id)
      references.append(track.located.child("tref")?.children ?? [])
      tracks.append(opened.track)
      readers.append(samples)
    }
    if chosen == nil {
      let all = readers
      try doubts.compare(coverage, isWhole: !isIncomplete) { try all.flatMap { try $0.ranges() } }
    }
    warnings += doubts.warnings
    guard tracks.contains(where: { $0.kind == .video || $0.kind == .audio }) else {
      throw MediaError(
        .unsupported, of: .part("moov"),
        isHeader
          ? "has no samples: this is an initialization segment, which its segments follow in one file"
          : "has no video or audio with samples")
    }
    details = try MediaDetails(moov)
    warnings += details.refused.map { "\($0) points into the file and is left out" }
    self.warnings = warnings
    for index in tracks.indices {
      tracks[index].details.references = references[index].compactMap { node in
        guard let ids = node.box(TrackReference.self)?.trackIDs else { return nil }
        let found = ids.compactMap { places[$0] }
        return found.isEmpty ? nil : (node.node.type, found)
      }
    }
    if let place = chapterID.flatMap({ places[$0] }) {
      details.chapters = try ChapterTrack.chapters(of: readers[place])
    }
    for index in readers.indices { try readers[index].advance() }
    arrange()
  }

  /// The faults of the samples so far that were repaired, as text.
  public var repairs: [String] { readers.flatMap(\.repairs) }

  /// Puts all tracks in the order of their next samples.
  private mutating func arrange() {
    queue = TimeQueue()
    for index in readers.indices {
      if let time = readers[index].time { queue.insert(index, at: time) }
    }
  }

  /// Throws if samples overlap so often that a small file would become a very large one.
  private static func check(
    _ bytes: Int, of track: Track, in source: any ByteSource, _ limits: Limits
  ) throws {
    let (most, overflow) = source.count.multipliedReportingOverflow(by: max(1, limits.growth))
    guard !overflow, bytes > most else { return }
    throw SyntaxError(
      .limit, field: "samples", path: track.path, offset: track.located.node.start,
      detail:
        "overlap: together they have \(bytes) bytes in a file of \(source.count), more than the limit growth "
        + "of \(limits.growth) times")
  }

  /// Returns a warning for each box that is cut by the end of the file.
  private static func cuts(in tree: BoxTree) -> [String] {
    tree.boxes.compactMap { node in
      if let size = node.header.declaredSize {
        let count = node.extent?.count ?? 0
        return "\(node.type) at byte \(node.start) is cut: \(count) of \(size) bytes are there"
      }
      return nil
    }
  }

  private static func kind(of track: Track, isChapters: Bool, isChosen: Bool) -> CodedTrack.Kind {
    switch track.handler {
    case "vide" where !isChapters || isChosen: .video
    case "pict" where isChosen, "auxv" where isChosen: .video
    case "soun": .audio
    case "text" where !isChapters: .subtitle
    case "sbtl", "subt", "clcp", "subp": .subtitle
    case "tmcd": .timecode
    default: .data
    }
  }

  /// Skips everything before the last key frame that is shown no later than a time. The tables tell which sample that
  /// is, and its NAL units confirm that it is a key frame; no other sample is read.
  public mutating func begin(at start: RationalTime) throws {
    let leader =
      tracks.firstIndex { $0.kind == .video } ?? tracks.firstIndex { $0.kind == .audio } ?? 0
    for index in tracks.indices { tracks[index].details.movie?.edits = nil }
    guard let first = try readers[leader].keyFrame(before: start) else { return }
    // Sound and titles begin with the picture, which may be decoded long before it is shown.
    for index in readers.indices {
      try readers[index].skip(
        to: tracks[index].kind == .video ? first.decoded : first.shown, of: tracks[index])
    }
    arrange()
  }

  public mutating func next() throws -> SourceEvent? {
    guard let index = queue.first else { return nil }
    // Accessed in place, because copying a reader costs more than a sample.
    let event = try readers[index].next(as: index)
    queue.replaceFirst(at: readers[index].time)
    return event
  }
}

extension Track {
  /// Returns the tracks that it refers to for a purpose.
  fileprivate func references(of type: FourCC) -> [UInt32] {
    located.child("tref")?.children(of: type).flatMap {
      $0.box(TrackReference.self)?.trackIDs ?? []
    }
      ?? []
  }
}
