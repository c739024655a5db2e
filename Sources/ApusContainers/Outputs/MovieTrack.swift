// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
internal import HEVC
package import ISOBMFF

/// A track on its way into a movie: its samples in units of the track, and the sample entries for them.
package struct MovieTrack: Sendable {
  let track: CodedTrack
  private(set) var hasSamples = false
  /// Whether it is played unless another track is chosen.
  private let isEnabled: Bool
  private var meter: BitRateMeter
  private var formats: [MovieEntry]
  /// The current format of the samples, if it changed when no sample entry could be added any more.
  private var inBand: InBandFormat?
  /// The splitter for uncompressed sound, which may come in packets; the times of a movie are exact already.
  private var sound: UncompressedSound?
  private let hasExactTimes: Bool
  /// The reader that all tracks share.
  private let headers: HeadersReader

  package static func all(of tracks: [CodedTrack], in style: MovieStyle) throws
    -> [MovieTrack]
  {
    let chosen = Set(tracks.filter { $0.details.roles.contains(.chosen) }.map(\.kind))
    let headers = HeadersReader()
    var result: [MovieTrack] = []
    result.reserveCapacity(tracks.count)
    for (index, track) in tracks.enumerated() {
      if let reason = MovieEntry.refusal(of: track, in: style, headers: headers) {
        throw MediaError(
          .unsupported, of: .part(track.name), reason, at: .byte(nil, in: "track \(index + 1)"))
      }
      // Players show enabled subtitles without being asked, so only those enabled in the input are.
      let isAlone = track.kind != .subtitle && !chosen.contains(track.kind)
      let isChosen = track.details.roles.contains(.chosen)
      result.append(MovieTrack(track, isEnabled: isChosen || isAlone, headers))
    }
    return result
  }

  private init(_ track: CodedTrack, isEnabled: Bool, _ headers: HeadersReader) {
    var track = track
    hasExactTimes = track.details.movie != nil
    if let known = UncompressedSound(track), let timescale = known.timescale,
      !hasExactTimes || track.timescale == timescale
    {
      sound = known
      track.timescale = timescale
    }
    self.track = track
    self.isEnabled = isEnabled
    self.headers = headers
    formats = [MovieEntry(track.format)]
    meter = BitRateMeter(timescale: track.timescale)
  }

  /// The facts that are known before the first sample.
  package var new: NewTrack {
    guard let movie = track.details.movie else {
      let handler: FourCC =
        switch track.kind {
        case .video: "vide"
        case .subtitle: "sbtl"
        case .audio, .timecode, .data: "soun"
        }
      var new = NewTrack(handler, timescale: track.timescale)
      new.isEnabled = isEnabled
      // Only one of them is shown at a time; the number is FFmpeg's.
      if track.kind == .subtitle { new.alternateGroup = 3 }
      // The three letters in the media header can hold only the primary language.
      if let tag = track.languageTag, tag.contains("-") {
        var language = ExtendedLanguage()
        language.extendedLanguage = Text(bytes: Array(tag.utf8))
        new.mediaBoxes = [Node("elng", language)]
      }
      return new
    }
    var new = NewTrack(movie.handler, timescale: track.timescale)
    new.creationTime = movie.creationTime
    new.mediaCreationTime = movie.mediaCreationTime
    new.isEnabled = movie.isEnabled
    new.alternateGroup = movie.alternateGroup
    new.layer = movie.layer
    new.volume = movie.volume
    new.mediaBoxes = movie.mediaBoxes
    new.groupings = movie.groupings
    new.edits = movie.edits
    // QuickTime's modes of drawing mean nothing elsewhere.
    if track.kind != .video { new.mediaHeader = movie.mediaHeader }
    return new
  }

  /// Returns the track with its sample entries, and with the size of the first.
  ///
  /// - Parameter isComplete: whether all of its samples came.
  package func described(in style: MovieStyle, isComplete: Bool) throws -> NewTrack {
    var result = new
    result.name = track.details.title
    result.language = track.language
    // Language numbers are QuickTime's; another file of that form keeps them.
    if let movie = track.details.movie, style == .quickTime, movie.language < 0x400,
      movie.isQuickTime || movie.language > 0,
      Language(code: movie.language).letters(isQuickTime: movie.isQuickTime) == track.language
    {
      result.languageCode = movie.language
    }
    result.matrix = track.matrix
    result.boxes = track.details.boxes
    // The boxes of another movie contain the roles already.
    if track.details.movie == nil, !result.boxes.contains(where: { $0.type == "udta" }),
      let kinds = track.details.kinds
    {
      result.boxes.append(kinds)
    }
    result.references = track.details.references
    let rate = isComplete ? meter.box : nil
    for format in formats {
      result.sampleEntries.append(
        try format.node(of: track, in: style, rate: rate, headers: headers))
    }
    guard let first = formats.first else { return result }
    result.defaultDuration = first.typicalDuration(per: track.timescale, headers: headers)
    if let movie = track.details.movie, movie.width > 0, movie.height > 0 {
      (result.width, result.height) = (movie.width, movie.height)
    } else if track.kind == .video {
      let picture = try first.picture(of: track, headers: headers)
      (result.width, result.height) = (picture.shownWidth, picture.shownHeight)
    } else if track.kind == .subtitle {
      let size = (width: UInt16(clamping: track.width), height: UInt16(clamping: track.height))
      (result.width, result.height) = (UInt32(size.width) << 16, UInt32(size.height) << 16)
    }
    return result
  }

  /// Switches to another format for the samples that follow. A format that no sample had is dropped.
  package mutating func change(to format: CodedTrack.Format) throws {
    var changed = track
    changed.format = format
    if let reason = MovieEntry.refusal(of: changed, headers: headers) {
      throw MediaError(
        .unsupported, of: .part(track.name), "changes its format: \(changed.name) \(reason)")
    }
    if formats.last?.isUsed == false { formats.removeLast() }
    formats.append(MovieEntry(format))
  }

  /// Switches to another format where no sample entries can be added any more.
  package mutating func changeInBand(to format: CodedTrack.Format) throws {
    guard let last = formats.last, last.format.codec == format.codec,
      let lengthSize = last.lengthSize,
      let change = try InBandFormat(format, lengthSize: lengthSize)
    else {
      throw MediaError(
        .unsupported, of: .part(track.name),
        "changes its format; within a movie in fragments only HEVC stays HEVC, and AVC stays "
          + "AVC, with new parameter sets; start a new file")
    }
    inBand = change
  }

  package mutating func sample(_ sample: CodedSample) throws -> NewSample {
    guard let decoded = sample.decodeTime.rounded(to: track.timescale),
      let shown = sample.presentationTime.rounded(to: track.timescale),
      case (let offset, let overflow) = shown.subtractingReportingOverflow(decoded), !overflow
    else {
      throw MediaError(
        .invalid, of: .part("decoding time"),
        "is beyond any number in units of 1/\(track.timescale) s",
        at: .byte(nil, in: "track \(sample.track + 1)"))
    }
    hasSamples = true
    let last = formats.count - 1
    var payload = sample.payload
    if let inBand {
      payload = try inBand.written(payload, isSync: sample.isSync)
    } else {
      payload = try formats[last].admit(payload, hasSets: sample.hasParameterSets)
    }
    var new = NewSample(at: decoded, payload)
    new.compositionOffset = offset
    new.duration = sample.duration?.rounded(to: track.timescale)
    // TrueHD is the only sound with frames that need others.
    let hasOthers = if case .other("mlpa", _) = track.format { true } else { false }
    new.isSync = sample.isSync || track.kind == .audio && !hasOthers
    new.entry = last
    new.number = sample.number
    new.count = sample.count
    if sound != nil {
      if hasExactTimes {
        new.count = sound?.count(in: new) ?? new.count
      } else {
        try sound?.divide(&new)
      }
    }
    meter.add(payload.count, at: new.decodeTime, lasting: new.duration)
    return new
  }
}
