// SPDX-License-Identifier: MIT

package import ApusBytes
internal import ApusMedia
package import ApusSamples
package import FLV
internal import HEVC

/// Makes tracks and samples from the packets of a Flash Video stream, whether they come from a file or a connection.
package struct FLVTracks: Sendable {
  /// A packet with the time of its tag.
  package struct Item: Sendable {
    var type: TagType
    package var time: Int64
    package var packet: Packet
    /// The configuration, or the frame.
    package var data: Extent
    /// The offset of the tag.
    var offset: Int
    /// The first byte of the tag, which gives the rate and the channels of older forms.
    var flags: UInt8
    /// The header that preceded the frame and was removed from `data`.
    var adts: ADTSHeader?
  }

  struct Key: Hashable {
    var kind: CodedTrack.Kind
    var id: UInt8
  }

  package private(set) var tracks: [CodedTrack] = []
  private var places: [Key: Int] = [:]
  /// The size of the pictures according to the metadata.
  private var size: (width: Int, height: Int)?
  /// Pictures per second according to the metadata.
  private var frameRate: Double?
  /// The details of the whole stream from the metadata.
  package private(set) var details = MediaDetails()
  /// The first metadata, with their information about each track.
  private var metadata = AMFObject()
  /// The tracks whose first picture was examined.
  private var seen: Set<Int> = []
  /// Questions that the first pictures leave open, as text.
  package private(set) var doubts: [String] = []
  /// Codecs that are not passed on, as text.
  package private(set) var refused: [String] = []
  /// The number of frames of tracks that were not announced when the samples began.
  package private(set) var late = 0
  /// The number of tracks of each kind that the metadata announce.
  package private(set) var announced: [CodedTrack.Kind: Int] = [:]
  /// Whether frames of sound came with ADTS headers.
  package private(set) var hasADTS = false
  private var times = TimeRepair()
  /// The number of frames of each track that came before its coding was known, and the offset of the first.
  private(set) var early: [Key: (count: Int, offset: Int)] = [:]
  /// The number of changes of the sound's configuration, and the offset of the first.
  private(set) var soundChanges: (count: Int, offset: Int)?

  package init() {}

  // MARK: - Tracks

  /// Adds the information of a packet about the tracks.
  package mutating func announce(_ item: Item) throws {
    if item.adts != nil { hasADTS = true }
    guard let key = key(of: item) else { return }
    if places[key] == nil {
      if let format = try format(of: item) {
        add(format, key, item)
      } else if item.packet.kind == .frames, case .fourCC = item.packet.codec {
        early[key, default: (0, item.offset)].count += 1
      }
    }
    if let place = places[key] { try look(at: item, of: place) }
  }

  private mutating func add(_ format: CodedTrack.Format, _ key: Key, _ item: Item) {
    var track = CodedTrack(key.kind, format, timescale: 1000)
    describe(item, &track)
    track.apply(words(of: key))
    places[key] = tracks.count
    early[key] = nil
    tracks.append(track)
  }

  /// Reads from the first picture of a track what Flash Video has no field for.
  private mutating func look(at item: Item, of place: Int) throws {
    guard case .hevc(let record) = tracks[place].format, item.packet.kind == .frames,
      seen.insert(place).inserted
    else { return }
    let units: [[UInt8]]
    do {
      units = try LengthPrefixed.nalUnits(
        in: try item.data.bytes(), lengthSize: record.lengthSize)
    } catch let error {
      // A damaged picture is for the decoder to judge.
      guard error.kind != .io else { throw error }
      return
    }
    let headers = StreamHeaders(record)
    let rate = headers.pictureRate?.framesPerSecond ?? frameRate
    if let doubt = tracks[place].picture.completeDolbyVision(units, headers, rate: rate) {
      doubts.append("\(tracks[place].name): \(doubt)")
    }
  }

  /// Whether the first picture has come of every track whose pictures may tell more than its configuration.
  package var hasSeenPictures: Bool {
    tracks.indices.allSatisfy { index in
      if case .hevc = tracks[index].format { seen.contains(index) } else { true }
    }
  }

  /// Takes the number of tracks and the size of the pictures from the metadata, where the configuration does not give
  /// them.
  package mutating func announce(_ content: TagContent) {
    guard case .script(let message) = content, let metadata = message.metadata else { return }
    if let rate = metadata["framerate"]?.number, rate > 0 { frameRate = frameRate ?? rate }
    if self.metadata.members.isEmpty {
      self.metadata = metadata
      details.tags = metadata.tags
      if let writer = (metadata["encoder"] ?? metadata["Encoder"])?.text {
        details.tags.append(("encoder", writer))
      }
      let created = metadata["creation_time"]?.text
      details.creationTime = created.flatMap { Date1904(iso8601: $0)?.seconds }
      for (key, place) in places { tracks[place].apply(words(of: key)) }
    }
    let kinds: [(String, String, CodedTrack.Kind)] = [
      ("videocodecid", "videoTrackIdInfoMap", .video),
      ("audiocodecid", "audioTrackIdInfoMap", .audio),
    ]
    for (codec, map, kind) in kinds where metadata[codec] != nil {
      announced[kind] = 1 + (metadata[map]?.members?.members.count ?? 0)
    }
    guard let width = metadata["width"]?.number, let height = metadata["height"]?.number,
      (1...65535).contains(width), (1...65535).contains(height)
    else { return }
    size = size ?? (Int(width), Int(height))
  }

  private func words(of key: Key) -> TrackWords {
    TrackWords(of: key.kind == .video ? .video : .audio, id: key.id, in: metadata)
  }

  private func key(of item: Item) -> Key? {
    switch item.type {
    case .video: Key(kind: .video, id: item.packet.trackID)
    case .audio: Key(kind: .audio, id: item.packet.trackID)
    default: nil
    }
  }

  /// Returns the format; `nil` where this packet does not determine it.
  private mutating func format(of item: Item) throws -> CodedTrack.Format? {
    let packet = item.packet
    switch packet.kind {
    case .configuration: return try configuration(item)
    case .frames: break
    default: return nil
    }
    switch packet.codec {
    case .hevc: return try inBand(item)
    case .aac where item.adts != nil:
      return try item.adts.map { header in
        .aac(try header.configuration.bytes())
      }
    // Without their configuration these cannot be decoded.
    case .avc, .aac, .fourCC("av01"), .fourCC("vvc1"), .fourCC("Opus"), .fourCC("fLaC"): return nil
    case .fourCC(let code): return .other(code, [])
    case .audio(let format):
      // 8-bit numbers are unsigned, and no entry of that name is.
      let isWide = format != .pcmLittleEndian || item.flags & 2 != 0
      if isWide, let code = Self.codes[format] { return .other(code, []) }
    case .video: break
    }
    let name = "\(packet.codec) \(item.type)"
    if !refused.contains(name) { refused.append(name) }
    return nil
  }

  private func configuration(_ item: Item) throws -> CodedTrack.Format? {
    let bytes = try item.data.bytes()
    guard !bytes.isEmpty else { return nil }
    switch item.packet.codec {
    case .hevc:
      do {
        return .hevc(try DecoderConfigurationRecord(bytes))
      } catch {
        throw SyntaxError(
          .invalid, field: "HEVCDecoderConfigurationRecord", offset: item.offset,
          detail: error.detail)
      }
    case .avc:
      // ISO/IEC 14496-15, 5.3.3.1.2.
      guard bytes[0] == 1 else {
        throw SyntaxError(
          .invalid, field: "AVCDecoderConfigurationRecord", offset: item.offset,
          detail: "configurationVersion is \(bytes[0]), not 1")
      }
      return .avc(bytes)
    case .aac: return .aac(bytes)
    case .fourCC(let code): return .other(code, bytes)
    case .video, .audio: return nil
    }
  }

  /// Returns the format of a stream that sends its parameter sets only with the key frames.
  private func inBand(_ item: Item) throws -> CodedTrack.Format? {
    let bytes = try item.data.bytes()
    guard AccessUnit(.hevc, bytes.span, isWhole: false).isRandomAccess else { return nil }
    let units = try LengthPrefixed.nalUnits(in: bytes, lengthSize: 4)
    return .hevc(try InBandSets.record(of: units, at: item.offset))
  }

  private func describe(_ item: Item, _ track: inout CodedTrack) {
    switch track.format {
    case .hevc(let record):
      guard let sequence = StreamHeaders(record).baseSequences.first else { break }
      let size = sequence.displaySize ?? sequence.format.codedSize
      (track.width, track.height) = (size.width, size.height)
    case .aac(let bytes):
      guard let config = try? AudioSpecificConfig(bytes) else { return }
      track.sampleRate = config.sampleRate ?? 0
      track.channels = config.channels ?? 0
    case .other where track.kind == .audio && item.packet.form == .legacy:
      let codec = item.packet.codec
      let isTelephone = codec == .audio(.aLaw) || codec == .audio(.muLaw)
      track.sampleRate = isTelephone ? 8000 : 44100 >> (3 - Int(item.flags >> 2 & 3))
      track.channels = item.flags & 1 == 1 ? 2 : 1
    case .other(let code, let bytes) where track.kind == .audio:
      track.describeSound(code, bytes, first: item.data)
    case .avc, .other: break
    }
    if track.kind == .video, track.width == 0, track.height == 0, let size {
      (track.width, track.height) = size
    }
  }

  // MARK: - Samples

  /// Returns the sample or the new format that a packet contains, if any.
  package mutating func event(of item: Item) throws -> SourceEvent? {
    guard let key = key(of: item) else { return nil }
    let time = times.time(
      of: item.type, track: key.id, isFrame: item.packet.kind == .frames, item.time)
    guard let place = places[key] else {
      if item.packet.kind == .frames { late += 1 }
      return nil
    }
    switch item.packet.kind {
    case .configuration:
      guard let format = try configuration(item), try !format.isSame(as: tracks[place].format)
      else {
        return nil
      }
      if key.kind == .audio {
        soundChanges = (1 + (soundChanges?.count ?? 0), soundChanges?.offset ?? item.offset)
      }
      tracks[place].format = format
      return .format(track: place, format)
    case .frames:
      if item.adts != nil { hasADTS = true }
      guard !item.data.isEmpty else { return nil }
      // Packets with a codec other than their track's are counted by `StreamFaults`.
      guard tracks[place].format.isCoded(as: item.packet.codec) else { return nil }
      let said = item.packet.frameType == .key || item.packet.frameType == .generatedKey
      return .sample(
        CodedSample(
          track: place, decodeTime: .milliseconds(time),
          presentationTime: presentation(of: item, decodedAt: time),
          isSync: try tracks[place].format.isSync(item.data, said: said || key.kind == .audio),
          payload: item.data))
    default: return nil
    }
  }

  /// Returns the presentation time, which is not affected when the decoding time was held back.
  private func presentation(of item: Item, decodedAt time: Int64) -> RationalTime {
    let base = times.isHeld ? item.time + times.offset : time
    let milliseconds = base + Int64(item.packet.compositionTime)
    let (exact, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard item.packet.nanoseconds > 0, !overflow else { return .milliseconds(milliseconds) }
    return RationalTime(exact &+ Int64(item.packet.nanoseconds), per: 1_000_000_000)
  }
}

extension CodedTrack {
  fileprivate mutating func apply(_ words: TrackWords) {
    language = words.language ?? language
    details.title = words.title ?? details.title
  }
}
