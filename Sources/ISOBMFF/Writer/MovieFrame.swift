// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The boxes of `moov` around the sample tables: ISO/IEC 14496-12, 8.2 to 8.4.
struct MovieFrame: Sendable {
  var style: MovieStyle
  var timescale: UInt32

  /// - Parameter extends: the `mvex` of a fragmented file.
  func movie(
    _ movie: NewMovie, _ tracks: [Node], duration: UInt64, nextTrackID: Int, extends: Node? = nil
  ) -> Node {
    var header = MovieHeader()
    header.creationTime = movie.creationTime
    header.modificationTime = movie.creationTime
    header.timescale = timescale
    header.duration = duration
    header.header.version = Self.version(for: max(duration, movie.creationTime))
    header.nextTrackID = UInt32(clamping: nextTrackID)
    return Node(
      "moov", [Node("mvhd", header)] + tracks + (extends.map { [$0] } ?? []) + movie.boxes)
  }

  /// Returns the `moov` of a fragmented movie: all tracks, without samples.
  func fragmented(_ movie: NewMovie, _ tracks: [NewTrack], _ timelines: [TrackTimeline])
    throws(SyntaxError) -> Node
  {
    let ids = Dictionary(uniqueKeysWithValues: tracks.indices.map { ($0, $0 + 1) })
    let nodes = try tracks.indices.map { index throws(SyntaxError) in
      try track(
        tracks[index], of: movie, id: index + 1, ids: ids, timelines[index], duration: 0,
        table: Self.emptyTable(tracks[index]))
    }
    let extends = tracks.indices.map { index in
      var extends = TrackExtends()
      extends.trackID = UInt32(clamping: index + 1)
      return Node("trex", extends)
    }
    return self.movie(
      movie, nodes, duration: 0, nextTrackID: tracks.count + 1, extends: Node("mvex", extends))
  }

  private static func emptyTable(_ track: NewTrack) -> Node {
    var description = SampleDescription()
    description.boxes = track.sampleEntries
    let groups = track.groupings.compactMap { $0.description.map { Node("sgpd", $0) } }
    return Node(
      "stbl",
      [
        Node("stsd", description), Node("stts", DecodingTimeToSample()),
        Node("stsc", SampleToChunk()), Node("stsz", SampleSizes()), Node("stco", ChunkOffsets()),
      ] + groups)
  }

  /// - Parameters:
  ///   - ids: the IDs of the tracks that are written, keyed by index among all.
  ///   - duration: the duration in the track's timescale.
  ///   - table: the box `stbl`.
  func track(
    _ track: NewTrack, of movie: NewMovie, id: Int, ids: [Int: Int], _ timeline: TrackTimeline,
    duration: UInt64, table: Node
  ) throws(SyntaxError) -> Node {
    var header = TrackHeader()
    header.trackID = UInt32(clamping: id)
    header.header.flags = track.isEnabled ? 3 : 2
    header.duration = timeline.duration
    header.creationTime = track.creationTime ?? movie.creationTime
    header.modificationTime = header.creationTime
    header.header.version = Self.version(for: max(timeline.duration, header.creationTime))
    header.volume = track.volume
    header.layer = track.layer
    header.alternateGroup = track.alternateGroup
    header.width = track.width
    header.height = track.height
    header.matrix = track.matrix

    var media = MediaHeader()
    media.timescale = track.timescale
    media.duration = duration
    media.creationTime = track.mediaCreationTime ?? movie.creationTime
    media.modificationTime = media.creationTime
    media.header.version = Self.version(for: max(duration, media.creationTime))
    if let code = Language(letters: track.language) { media.language.code = code.code }
    if let code = track.languageCode { media.language.code = code }

    let name = track.name.isEmpty ? Self.name(of: track.handler) : track.name
    let boxes = [
      Node("mdhd", media), Node("hdlr", style.handler(track.handler, name: name)),
      Node("minf", information(of: track) + [table]),
    ]
    let edits = try timeline.edits().map { [$0] } ?? []
    return Node(
      "trak",
      [Node("tkhd", header)] + edits + references(of: track, ids)
        + [Node("mdia", boxes + track.mediaBoxes)] + track.boxes)
  }

  private static func name(of handler: FourCC) -> String {
    switch handler {
    case "soun": "Sound"
    case "vide": "Video"
    default: ""
    }
  }

  private func references(of track: NewTrack, _ ids: [Int: Int]) -> [Node] {
    var references = TrackReferences()
    for (type, tracks) in track.references {
      var reference = TrackReference()
      reference.trackIDs = tracks.compactMap { ids[$0].map { UInt32(clamping: $0) } }
      if !reference.trackIDs.isEmpty { references.boxes.append(Node(type, reference)) }
    }
    return references.boxes.isEmpty ? [] : [Node("tref", references)]
  }

  private func information(of track: NewTrack) -> [Node] {
    var references = DataReferences()
    let header = track.mediaHeader ?? Self.mediaHeader(of: track.handler)
    guard style == .quickTime else {
      references.boxes = [Node("url ", DataEntryURL())]
      return [header, Node("dinf", [Node("dref", references)])]
    }
    references.boxes = [Node("alis", MacintoshAlias())]
    let handler = style.handler("alis", component: "dhlr", name: "Data")
    return [header, Node("hdlr", handler), Node("dinf", [Node("dref", references)])]
  }

  private static func mediaHeader(of handler: FourCC) -> Node {
    switch handler {
    case "soun": Node("smhd", SoundMediaHeader())
    case "vide": Node("vmhd", VideoMediaHeader())
    case "subt": Node("sthd", EmptyMediaHeader())
    default: Node("nmhd", EmptyMediaHeader())
    }
  }

  private static func version(for duration: UInt64) -> UInt8 { duration > UInt32.max ? 1 : 0 }
}
