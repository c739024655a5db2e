// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusRecords
internal import ApusSamples
public import HEVC
internal import ISOBMFF

/// The facts about one track.
public struct TrackFacts: Sendable {
  /// The ID of the track; in a container without IDs, its number.
  public var id: UInt32
  /// The handler: `vide`, `soun` …
  public var handler: FourCC?
  /// The language in three letters (ISO 639-2); `und` where unknown.
  public var language: String
  /// The title.
  public var name: String?
  /// The types of the sample entries.
  public var entryTypes: [FourCC]
  /// The codec of the first sample entry: `hvc1.1.6.L93.B0`, `mp4a.40.2`.
  public var codec: String?
  /// The codec strings for players that support more: Dolby Vision, the layers above the base.
  public var supplementalCodecs: [String] = []
  /// The facts about pictures; `nil` for other tracks.
  public var video: VideoFacts?
  /// The facts about sound; `nil` for other tracks.
  public var sound: SoundFacts?
  /// The number, sizes and durations of the samples.
  public var samples: SampleFacts
  /// The units of media time per second.
  public var timescale: UInt32
  /// The sample descriptions, if there are several.
  public var descriptions: [SampleDescriptionFacts] = []
  /// The scheme of its encryption: `cenc`, `cbcs`; `nil` if it is not encrypted.
  public var encryption: String?
  /// The IDs of the keys of its sample entries.
  public var keyIDs: [String] = []
  /// The content protection systems for which the file has data, if the track is encrypted.
  public var protectionSystems: [String] = []
  /// The duration in seconds that a player shows, according to its edit list; `nil` without one.
  public var presentationDuration: Double?
  /// The encoder, as named in the first sample or the parameter sets.
  public var encoder: String?
  /// The problem that ended the reading of samples, if the end was not reached.
  public var problem: Finding?
  /// The types of the first pictures, in decoding order.
  public var pictures = PictureCounts()
  /// The assessment of whether Apple's players can play it; `nil` for anything but HEVC.
  public var apple: AppleSubset?
  /// The exact frame rate whose times the container rounds to units of its clock.
  private var clockRate: FrameRate?

  /// - Parameter observer: also receives the samples.
  init(
    of track: Track, in source: any ByteSource, headers reader: HeadersReader,
    observer: (any SampleObserver)?
  ) {
    id = track.id
    handler = track.handler
    language = track.language
    let name = track.handlerReference?.name.bytes.prefix { $0 != 0 }
    self.name = name.map { String(decoding: $0, as: UTF8.self) }.flatMap {
      TrackDetails.isPlaceholder($0) ? nil : $0
    }
    entryTypes = track.sampleEntries.map(\.type)
    timescale = track.timescale
    var counter = PictureCounter(of: track, in: source, headers: reader)
    let (samples, error) = SampleTally.gather(track, in: source, &counter, observer)
    self.samples = samples
    pictures = counter.counts
    problem = error.map {
      Finding(
        .error, rule: "samples", path: $0.path.isEmpty ? track.path : $0.path,
        offset: $0.offset ?? track.located.node.start, message: $0.message)
    }
    if problem == nil, samples.missing > 0 {
      problem = Finding(
        .error, rule: "samples-beyond-file", path: track.path, offset: track.located.node.start,
        message: "\(samples.missing) of \(samples.count) samples end past the end of the file")
    }
    guard let entry = track.sampleEntries.first else { return }
    codec = CodecString.of(entry)
    let record = entry.located.box(at: "hvcC", as: HEVCConfiguration.self)?.record
    // The samples of HEVC are judged together with their record.
    if problem == nil, record == nil { problem = Self.endless(samples, of: track) }
    var headers = record.map { reader.headers(of: $0) }
    for nalUnit in counter.firstHeaders { headers?.add(nalUnit) }
    supplementalCodecs = CodecString.supplemental(entry, headers: reader)
    if let visual = entry.located.box(VisualSampleEntry.self) {
      video = VideoFacts(visual, entry, track.header, headers)
      apple = AppleSubset(entry, headers: reader)
    }
    sound = SoundFacts(entry)
    encoder = headers.flatMap(Self.encoder) ?? entry.compressor
    if track.sampleEntries.count > 1 {
      descriptions = track.sampleEntries.map { SampleDescriptionFacts($0) }
    }
    encryption = track.sampleEntries.lazy.compactMap { $0.encryption }.first
    for id in track.sampleEntries.compactMap(\.keyID) where !keyIDs.contains(id) {
      keyIDs.append(id)
    }
    presentationDuration = track.presentationDuration(of: samples.shown)
  }

  /// Returns a finding for a sample that lasts longer than an hour, such as a negative duration that is read as a
  /// positive one.
  private static func endless(_ samples: SampleFacts, of track: Track) -> Finding? {
    guard let longest = samples.longest, longest >= 1 << 31,
      longest / Int64(max(track.timescale, 1)) >= 3600
    else { return nil }
    return Finding(
      .warning, rule: "sample-duration", path: track.path, offset: track.located.node.start,
      message: "a sample lasts \(longest) units, as if a negative number was meant")
  }

  /// Returns the name that x265 and other encoders write to their SEI messages, without their options.
  static func encoder(_ headers: StreamHeaders) -> String? {
    for message in headers.messages {
      guard let text = message.payload.first(UnregisteredUserData.self)?.text else { continue }
      let line = text.prefix(while: { $0 != "\n" }).prefix(120)
      let end = line.utf8.firstOccurrence(of: " - H.26".utf8)?.lowerBound ?? line.endIndex
      return String(line[..<end])
    }
    return nil
  }

  /// Creates the facts about a track of a source, and its samples.
  ///
  /// - Parameter index: the index of the track among those of the source.
  init(_ track: CodedTrack, index: Int, _ walk: SampleWalk) {
    let facts = FormatFacts(track, walk.pictures.firstHeaders)
    id = UInt32(clamping: index + 1)
    handler = track.details.movie?.handler ?? Self.handlers[track.kind]
    language = track.language
    name = track.details.givenTitle
    entryTypes = track.details.sampleEntries.map(\.node.type)
    codec = facts.codec
    supplementalCodecs = facts.supplementalCodecs
    // Matroska stores it in a tag of the track.
    encoder =
      facts.encoder ?? track.details.tags.first { $0.name.lowercased() == "encoder" }?.value
    timescale = track.timescale
    samples = walk.samples
    pictures = walk.pictures.counts
    switch track.kind {
    case .video:
      video = VideoFacts(track, facts)
      clockRate = walk.rate(stated: facts.rate, timescale: timescale)
    case .audio where track.channels > 0 && track.sampleRate > 0: sound = SoundFacts(track)
    case .audio, .subtitle, .timecode, .data: break
    }
  }

  private static let handlers: [CodedTrack.Kind: FourCC] = [
    .video: "vide", .audio: "soun", .subtitle: "sbtl", .timecode: "tmcd", .data: "meta",
  ]

  /// The duration of all samples, in seconds.
  public var duration: Double? {
    timescale > 0 && samples.duration > 0
      ? Double(samples.duration) / Double(timescale) : nil
  }

  /// Bits per second.
  public var bitRate: Double? { duration.map { Double(samples.bytes) * 8 / $0 } }

  /// Samples per second on average, exact if all have the same duration.
  public var frameRate: FrameRate? {
    if let clockRate { return clockRate }
    guard samples.duration > 0, timescale > 0 else { return nil }
    if isConstantRate, let delta = samples.shortest {
      return FrameRate(UInt64(timescale), UInt64(delta))
    }
    let (ticks, overflow) = UInt64(samples.count).multipliedReportingOverflow(by: UInt64(timescale))
    return overflow ? nil : FrameRate(ticks, UInt64(samples.duration))
  }

  /// Whether all samples but the last have the same duration.
  public var isConstantRate: Bool {
    if clockRate != nil { return true }
    return samples.shortest != nil && samples.shortest == samples.longest && samples.shortest != 0
  }

  /// The average number of samples from one key sample to the next.
  public var groupLength: Double? {
    samples.keyCount > 0 ? Double(samples.count) / Double(samples.keyCount) : nil
  }
}

// MARK: - Declaration

extension TrackFacts: Described {
  package static let title = "track"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == TrackFacts {
    v.required("id", "The ID of the track, or its number if it has none.") { $0.id }
    v.optional("handler", "The handler: `vide`, `soun` …") { $0.handler }
    v.required("language", "Three letters; `und` if unknown.") { $0.language }
    v.optional("title", "The title of the track.") { $0.name }
    v.required("sample_entries", "The types of the sample entries.") { $0.entryTypes }
    v.optional("codec", "The codec string.") { $0.codec }
    v.required("supplemental_codecs", "Supplemental codec strings, such as those of Dolby Vision.")
    {
      $0.supplementalCodecs
    }
    v.optional("duration", "The duration of all samples, in seconds.") { $0.duration }
    v.required("timescale", "Units of time per second.") { $0.timescale }
    v.optional(
      "presentation_duration", "The duration shown by its edit list, including delays, in seconds."
    ) {
      $0.presentationDuration
    }
    v.optional("encryption", "The encryption scheme: `cenc`, `cbcs`.") { $0.encryption }
    v.optional("key_ids", "The IDs of its keys.") { $0.keyIDs.nonEmpty }
    v.optional("protection_systems", "The content protection systems with data in the file.") {
      $0.protectionSystems.nonEmpty
    }
    v.optional("encoder", "The encoder, if the stream names it.") { $0.encoder }
    v.optional("descriptions", "The sample descriptions, if there are several.") {
      $0.descriptions.isEmpty ? nil : $0.descriptions
    }
    v.required("samples", "The number of samples.") { $0.samples.count }
    v.required("bytes", "The size of all samples, in bytes.") { $0.samples.bytes }
    v.optional("bit_rate", "Bits per second.") { $0.bitRate }
    v.optionalFacts { $0.motion }
    v.optionalFacts { $0.sound }
    v.optional("apple", "Whether HEVC video plays on Apple devices.") { $0.apple }
  }

  private var motion: MotionFacts? { video.map { MotionFacts(video: $0, track: self) } }
}

/// The facts that apply only to tracks with pictures.
struct MotionFacts: Described {
  var video: VideoFacts
  var track: TrackFacts

  static let title = "motion"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == MotionFacts {
    v.facts { $0.video }
    v.optionalFacts { $0.track.frameRate }
    v.required("constant_frame_rate", "Whether all frames have the same duration.") {
      $0.track.isConstantRate
    }
    v.facts {
      PictureGroups(
        keys: $0.track.samples.keyCount, average: $0.track.groupLength,
        longest: $0.track.samples.longestGroup, types: $0.track.pictures)
    }
  }
}

extension AppleSubset: Described {
  package static let title = "apple"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == AppleSubset {
    v.required("inside_subset", "Whether it plays on Apple devices.") { $0.isMet }
    v.required("reasons", "The reasons why not.") { $0.reasons }
  }
}

extension TrackSampleEntry {
  /// The encoder of the pictures, as named in the sample entry; `nil` if it is not.
  fileprivate var compressor: String? {
    guard let visual = located.box(VisualSampleEntry.self) else { return nil }
    let name = Field.counted(visual.compressorName)
    return name.isEmpty ? nil : name
  }
}
