// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import HEVC
internal import ISOBMFF

/// A track of a movie as its boxes describe it, before its samples are read.
struct OpenedMovieTrack {
  private(set) var track: CodedTrack
  /// The reader of its samples; `nil` if there are none.
  private(set) var samples: MovieTrackReader?
  private(set) var warnings: [String] = []
  /// The number of bytes in all samples; those that overlap count each time.
  let bytes: Int
  /// The places of its samples in the file.
  let coverage: MediaCoverage

  /// - Parameters:
  ///   - isSalvaging: whether the track ends before the first sample that is damaged.
  init(
    _ track: Track, _ kind: CodedTrack.Kind, in source: any ByteSource, headers: HeadersReader,
    isSalvaging: Bool = false
  ) throws {
    let survey = try MovieTrackSurvey(track, in: source, isSalvaging: isSalvaging)
    (bytes, coverage) = (survey.bytes, survey.coverage)
    self.track = CodedTrack(kind, .other("none", []), timescale: max(1, track.timescale))
    if let loss = survey.loss {
      let lost = survey.lost > 0 ? "\(survey.lost) samples are" : "what follows is"
      warnings.append(
        "\(track.path): \(lost) lost after the first \(survey.count): \(MediaError(loss).message)")
    }
    warnings += survey.doubts.map { "\(track.path): \($0)" }
    guard survey.first != nil else { return }
    let (first, entries) = (survey.firstEntry, track.sampleEntries)
    guard let entry = entries.first(where: { $0.index == first }) else {
      throw Self.failure(track, "has no sample entry \(first)")
    }
    guard track.timescale > 0 else { throw Self.failure(track, "has no timescale") }
    var formats: [Int: CodedTrack.Format] = [:]
    for entry in entries where survey.descriptions.contains(entry.index) {
      formats[entry.index] = try MovieFormat.format(
        of: entry, kind, firstSync: survey.firstSyncs[entry.index], in: source)
    }
    let hasReserved = formats.values.contains { format in
      guard case .aac(let bytes) = format else { return false }
      return (try? AudioSpecificConfig(bytes))?.isReserved ?? true
    }
    if hasReserved {
      warnings.append("\(track.path): its AudioSpecificConfig has invalid values")
    }
    guard let format = formats[first] else {
      throw Self.failure(track, "has no sample entry \(first)")
    }
    self.track.format = format
    self.track.language = track.language
    if let tag = track.languageTag {
      self.track.languageTag = tag
      if track.language == "und" { self.track.language = LanguageTag.letters(of: tag) }
    }
    self.track.details = TrackDetails(track)
    self.track.details.sampleEntries = entries.compactMap { entry in
      formats[entry.index].map { ($0, entry.node) }
    }
    self.track.details.movie?.groupings = try track.groupings(of: survey.count)
    MovieFormat.describe(entry, &self.track)
    if kind == .video {
      try describePicture(entry, survey.firstSyncs[first], in: source, headers)
    }
    let edits = try track.edits()
    let start = try MovieEdits(edits, of: track)
    let reader = MovieTrackReader(
      track, as: self.track, survey, in: source, formats: formats, shift: start.shift)
    try follow(start, edits, track, survey, reader)
    if let matrix = track.header?.matrix { self.track.matrix = matrix }
    samples = reader
  }

  /// Applies the edit list to the track and adds warnings for what it cannot apply.
  private mutating func follow(
    _ start: MovieEdits, _ edits: [EditList.Edit], _ track: Track, _ survey: MovieTrackSurvey,
    _ reader: MovieTrackReader
  ) throws {
    var losses = start.losses
    let hiddenEnd = survey.hidden(behind: edits, of: track, timeShift: start.shift)
    if let hiddenEnd, let cut = hiddenEnd.rounded(to: 1000), cut >= 100,
      survey.hidesSamples(behind: hiddenEnd)
    {
      losses.append(
        "\(track.path): its edit list ends \(cut) ms before its last sample does; what follows it is "
          + "kept")
    }
    // A list without lengths belongs to fragments, whose end is not known.
    let isMeasured = edits.allSatisfy { $0.segmentDuration > 0 }
    let isOther = self.track.kind != .video && self.track.kind != .audio
    if !edits.isEmpty, isMeasured, !losses.isEmpty || hiddenEnd != nil || isOther {
      self.track.details.movie?.edits = NewEdits(
        edits, movieTimescale: track.movieTimescale, shift: start.shift)
    }
    if reader.formats.keys.contains(where: { number in
      track.sampleEntries.contains { $0.index == number && $0.located.child("lhvC") != nil }
    }) {
      let loss =
        "\(track.path): the layers above the base (lhvC), such as a second view, are left out"
      self.track.details.movie?.entryLosses = [loss]
      warnings.append(loss)
    }
    self.track.details.movie?.editLosses = losses
    warnings += losses
    let hidden = RationalTime(
      -(try reader.clock.presentation(survey.start).value), per: track.timescale)
    if self.track.kind == .video, hidden.value > 0, let milliseconds = hidden.rounded(to: 1000) {
      warnings.append(
        "\(track.path): its edit list hides the first \(milliseconds) ms, which decoding needs; what has no "
          + "edit lists shows them")
    }
  }

  private mutating func describePicture(
    _ entry: TrackSampleEntry, _ firstSync: TrackSample?, in source: any ByteSource,
    _ headers: HeadersReader
  ) throws {
    var picture = try PictureTraits(entry)
    // QuickTime's form of colour has no range.
    let hasNoRange = entry.node.children.contains {
      ($0.box as? ColourInformation)?.colourType == "nclc"
    }
    var stream = PictureTraits()
    switch track.format {
    case .hevc(let record):
      if hasNoRange { stream.complete(from: headers.headers(of: record)) }
      let units = try firstSync.map { sample in
        try InBandSets.messages(in: Extent(source, sample.range), lengthSize: record.lengthSize)
      }
      picture.complete(
        from: headers.headers(of: record.arrays.flatMap(\.nalUnits) + (units ?? [])))
    case .avc(let bytes):
      if hasNoRange { stream.complete(fromAVC: bytes) }
      picture.complete(fromAVC: bytes)
    case .other:
      for box in entry.node.children {
        if hasNoRange { stream.complete(fromBox: box.box) }
        picture.complete(fromBox: box.box)
      }
    case .aac: break
    }
    if hasNoRange, let range = stream.colour?.isFullRange { picture.colour?.isFullRange = range }
    track.picture = picture
  }

  private static func failure(_ track: Track, _ detail: String) -> MediaError {
    MediaError(.invalid, detail, at: .byte(nil, in: track.path))
  }
}
