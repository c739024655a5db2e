// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC
internal import ISOBMFF

/// Reads the format of samples from their sample entry.
enum MovieFormat {
  /// - Parameter firstSync: the first sync sample of the entry, which is searched for parameter sets that the
  ///   entry does not hold.
  static func format(
    of entry: TrackSampleEntry, _ kind: CodedTrack.Kind, firstSync: TrackSample?,
    in source: any ByteSource
  ) throws -> CodedTrack.Format {
    guard !entry.isExternal else {
      throw failure(entry, "keeps its samples in another file, which is not read")
    }
    guard entry.type == entry.codingType, !encrypted.contains(entry.type) else {
      throw failure(entry, "is encrypted or restricted; its samples cannot be copied")
    }
    if let box = entry.located.child("hvcC") {
      let record = try configuration(box, HEVCConfiguration.self).record
      return .hevc(try completed(record, firstSync, in: source))
    }
    if let box = entry.located.child("avcC") { return .avc(try body(of: box, in: source)) }
    guard !configured.contains(entry.type) else {
      throw failure(entry, "has no decoder configuration")
    }
    if kind != .video, kind != .audio {
      return .other(entry.type, try body(of: entry.located, in: source))
    }
    if let box = entry.located.child("esds") ?? entry.located.child("wave", "esds") {
      let first = try firstSync.map { sample in
        try Extent(source, sample.range).prefix(4).bytes()
      }
      if let format = try elementaryStream(box, entry, first: first ?? []) { return format }
    }
    return try other(entry, in: source)
  }

  private static let encrypted: Set<FourCC> = ["encv", "enca", "drms", "drmi", "resv"]
  /// Entries that are useless without hvcC or avcC.
  private static let configured: Set<FourCC> = [
    "hvc1", "hev1", "dvh1", "dvhe", "avc1", "avc3", "dva1", "dvav",
  ]
  /// The codecs of QuickTime that have several entries: MPEG-2 in tapes and cameras of broadcasters, DTS.
  private static let common: [FourCC: FourCC] = {
    let tapes = (["hdv", "xdv"] as [String]).flatMap { name in
      "123456789abcdef".map { FourCC(Array("\(name)\($0)".utf8)) }
    }
    let cameras: [FourCC] = [
      "xd54", "xd55", "xd59", "xd5a", "xd5b", "xd5c", "xd5d", "xd5e", "xd5f",
      "mx3n", "mx3p", "mx4n", "mx4p", "mx5n", "mx5p",
    ]
    let sound: [FourCC: FourCC] = ["dtsh": "dtsc", "dtsl": "dtsc", "dtse": "dtsc"]
    return (tapes + cameras).reduce(into: sound) { $0[$1] = "m2v1" }
  }()

  /// Sets the size, the rate and the channels of a track.
  static func describe(_ entry: TrackSampleEntry, _ track: inout CodedTrack) {
    if let visual = entry.located.box(VisualSampleEntry.self) {
      track.width = Int(visual.width)
      track.height = Int(visual.height)
    }
    let sound =
      entry.located.box(AudioSampleEntry.self)?.sound
      ?? entry.located.box(AudioSampleEntryV1.self)?.sound
    guard let sound else { return }
    track.channels = Int(sound.channelCount)
    track.sampleRate = Int(sound.sampleRate >> 16)
    if case .version2(let more) = entry.located.box(AudioSampleEntry.self)?.quickTime {
      track.channels = Int(more.numAudioChannels)
      track.sampleRate = Int(clamping: UInt64(Double(bitPattern: more.audioSampleRate).magnitude))
    }
    if let rate = entry.located.child("dmlp")?.box(TrueHDSpecific.self)?.sampleRate {
      track.sampleRate = rate
    }
    if case .aac(let bytes) = track.format, let config = try? AudioSpecificConfig(bytes) {
      track.sampleRate = config.sampleRate ?? track.sampleRate
      track.channels = config.channels ?? track.channels
    }
  }

  // MARK: - Video

  /// Returns a record completed with the parameter sets of the first sync sample, if it has none, as `hev1` allows.
  private static func completed(
    _ record: DecoderConfigurationRecord, _ firstSync: TrackSample?, in source: any ByteSource
  ) throws -> DecoderConfigurationRecord {
    let known = record.arrays.flatMap(\.nalUnits)
    let types = Set(known.compactMap { NALUnitHeader(of: $0)?.nalUnitType })
    guard !types.isSuperset(of: [.vps, .sps, .pps]), let firstSync else { return record }
    let sample = try source.bytes(in: firstSync.range)
    let units = try LengthPrefixed.nalUnits(in: sample, lengthSize: record.lengthSize)
    return try InBandSets.record(
      of: known + units, lengthSize: record.lengthSize, at: firstSync.offset)
  }

  private static func configuration<B: Box>(_ box: LocatedNode, _: B.Type) throws
    -> B
  {
    guard let read = box.box(B.self) else {
      throw SyntaxError(
        .invalid, field: "", path: box.path, offset: box.node.start, detail: "cannot be read")
    }
    return read
  }

  /// Returns the bytes after the header.
  private static func body(of box: LocatedNode, in source: any ByteSource) throws
    -> [UInt8]
  {
    guard let extent = box.node.extent else { return [] }
    return try source.bytes(in: extent.dropFirst(box.node.header.count))
  }

  // MARK: - Audio

  /// Returns the format by its number; `nil` where the sample entry stays its name.
  private static func elementaryStream(
    _ box: LocatedNode, _ entry: TrackSampleEntry, first: [UInt8]
  ) throws -> CodedTrack.Format? {
    guard let decoder = try configuration(box, ElementaryStreamDescription.self).decoder else {
      throw failure(entry, "has an esds without a decoder's configuration")
    }
    switch decoder.objectTypeIndication {
    case 0x40, 0x66, 0x67, 0x68:
      guard let bytes = try decoder.specificBytes(), !bytes.isEmpty else {
        throw failure(entry, "has an esds without an AudioSpecificConfig")
      }
      return .aac(bytes)
    default:
      let number = ObjectType(decoder.objectTypeIndication)
      guard let code = number.code(first: first) else { return nil }
      return .other(code, try decoder.specificBytes() ?? [])
    }
  }

  /// Returns the format of other codecs, with the configuration that Enhanced RTMP expects.
  private static func other(_ entry: TrackSampleEntry, in source: any ByteSource)
    throws -> CodedTrack.Format
  {
    for type: FourCC in ["av1C", "vpcC", "vvcC", "dac3", "dec3"] {
      guard let box = entry.located.child(type) else { continue }
      // The record of these two is wrapped in version and flags.
      let isFull = type == "vpcC" || type == "vvcC"
      let body = try body(of: box, in: source)
      // Dolby Vision has a special sample entry for AV1 that other players would show in wrong colours.
      let code = entry.type == "dav1" ? "av01" : entry.type
      return .other(code, Array(body.dropFirst(isFull ? 4 : 0)))
    }
    if let opus = entry.located.child("dOps") {
      return .other("Opus", opusHead(try configuration(opus, OpusSpecific.self)))
    }
    if let flac = entry.located.child("dfLa") {
      return .other("fLaC", Array("fLaC".utf8) + (try body(of: flac, in: source)).dropFirst(4))
    }
    // With the box header, as decoders and other containers expect it.
    let lossless = entry.located.child("alac") ?? entry.located.child("wave", "alac")
    if entry.type == "alac", let lossless {
      let body = try body(of: lossless, in: source)
      return .other("alac", [0, 0, 0, UInt8(clamping: body.count + 8)] + "alac".utf8 + body)
    }
    if entry.type == "ms\u{0}U" || entry.type == ".mp3" { return .other(".mp3", []) }
    if let code = common[entry.type] { return .other(code, []) }
    if plain.contains(entry.type) { return .other(entry.type, []) }
    return .other(entry.type, try body(of: entry.located, in: source))
  }

  /// The codecs whose samples say everything.
  private static let plain: Set<FourCC> = VideoEntry.numbered.union(VideoEntry.editors).union([
    ".mp2", "dtsc", "mlpa",
  ])

  /// Returns the header of an Opus stream: RFC 7845, 5.1.
  private static func opusHead(_ box: OpusSpecific) -> [UInt8] {
    var bytes = Array("OpusHead".utf8) + [1, box.outputChannelCount]
    bytes += box.preSkip.byteSwapped.bigEndianBytes
    bytes += box.inputSampleRate.byteSwapped.bigEndianBytes
    bytes += box.outputGain.byteSwapped.bigEndianBytes
    bytes.append(box.channelMappingFamily)
    guard box.channelMappingFamily != 0 else { return bytes }
    return bytes + [box.streamCount, box.coupledCount] + box.channelMapping
  }

  private static func failure(_ entry: TrackSampleEntry, _ detail: String) -> SyntaxError {
    SyntaxError(
      .unsupported, field: "\(entry.type)", path: entry.path, offset: entry.node.start,
      detail: detail)
  }
}
