// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import ApusSamples
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
    var moov = try Self.movieBox(in: tree, of: movie, isSalvaging: isSalvaging)
    if let chosen { try Self.check(chosen, in: movie) }
    var warnings = isSalvaging ? Self.cuts(in: tree) : []
    var doubts = MovieDoubts(tree)
    let chapterTracks = Set(movie.tracks.flatMap { $0.references(of: "chap") })
    let chapterID = movie.tracks.first { chapterTracks.contains($0.id) && $0.handler == "text" }?.id
    let isHeader = moov.child("mvex") != nil && !tree.boxes.contains { $0.type == "moof" }
    var opened = MovieTracks(
      in: source, limits, capacity: chosen == nil ? movie.tracks.count : 1,
      isSalvaging: isSalvaging, isChosen: chosen != nil, chapterTracks: chapterTracks)
    // The boxes of each track, of which there may be very many, are freed as soon as its reader is made.
    var waiting: [Track] = movie.tracks.reversed()
    movie.tracks = []
    tree = BoxTree(boxes: [])
    moov.node.children.removeAll { $0.type == "trak" }
    while let track = waiting.popLast() {
      if chosen == nil || track.id == chosen { try opened.open(track) }
    }
    if chosen == nil {
      try doubts.compare(opened.coverage, isWhole: !opened.isIncomplete) {
        try opened.readers.flatMap { try $0.ranges() }
      }
    }
    warnings += opened.warnings + doubts.warnings
    try Self.checkKinds(of: opened.tracks, isHeader: isHeader)
    details = try MediaDetails(moov)
    warnings += details.refused.map { "\($0) points into the file and is left out" }
    self.warnings = warnings
    opened.resolveReferences()
    (tracks, trackIDs) = (opened.tracks, opened.trackIDs)
    // Not copied, because each reader is changed below.
    swap(&readers, &opened.readers)
    if let place = chapterID.flatMap({ opened.places[$0] }) {
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

  /// Returns `moov`. Throws if there is none, or if it has no tracks.
  private static func movieBox(
    in tree: BoxTree, of movie: Movie, isSalvaging: Bool
  ) throws -> LocatedNode {
    guard let moov = tree.located.first(where: { $0.node.type == "moov" }), !movie.tracks.isEmpty
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
    return moov
  }

  /// Throws if a movie does not have the chosen track.
  private static func check(_ chosen: UInt32, in movie: Movie) throws {
    guard !movie.tracks.contains(where: { $0.id == chosen }) else { return }
    let ids = movie.tracks.map { "\($0.id)" }.joined(separator: ", ")
    throw MediaError(
      .misuse, of: .part("track \(chosen)"), "is not in the file, which has \(ids)")
  }

  /// Throws if there is neither video nor audio.
  private static func checkKinds(of tracks: [CodedTrack], isHeader: Bool) throws {
    guard !tracks.contains(where: { $0.kind == .video || $0.kind == .audio }) else { return }
    throw MediaError(
      .unsupported, of: .part("moov"),
      isHeader
        ? "has no samples: this is an initialization segment, which its segments follow in one file"
        : "has no video or audio with samples")
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
