// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

extension FLVChecker {
  /// Codecs whose frames contain everything that a decoder needs.
  private static let selfContained: Set<Codec> = [
    .fourCC("ac-3"), .fourCC("ec-3"), .fourCC(".mp3"), .fourCC("vp08"),
  ]

  mutating func configuration(_ packet: Packet, _ index: Int, of tag: Tag, in reader: TagReader)
    throws(SyntaxError)
  {
    facts.tracks[index].configurations += 1
    let bytes = try Extent(reader.source, packet.data).bytes()
    judge.configure(packet, bytes.span)
    if packet.codec == .aac {
      audioConfigs.insert(packet.trackID)
      if bytes.isEmpty {
        add(.audioConfigMissing, at: tag.offset, "the AAC configuration is empty")
      }
    } else if bytes.isEmpty, !Self.selfContained.contains(packet.codec) {
      return add(.configUnreadable, at: tag.offset, "the configuration of \(packet.codec) is empty")
    }
    guard packet.codec == .hevc else { return }
    if let known = configs[packet.trackID] {
      if known.bytes == bytes {
        return add(
          .configRepeated, at: tag.offset, "the configuration is sent once more, unchanged")
      }
      add(
        .configChanged, at: tag.offset,
        "the configuration changes from \(known.bytes.count) to \(bytes.count) bytes at \(tag.time) ms"
      )
    }
    let record: DecoderConfigurationRecord
    do throws(SyntaxError) {
      record = try DecoderConfigurationRecord(bytes, limits: limits)
    } catch {
      configs[packet.trackID] = Config(bytes: bytes, sets: [])
      return add(
        .configUnreadable, at: packet.data.lowerBound + (error.offset ?? 0),
        "the HEVC record cannot be read: \(error.message)")
    }
    records.append((record, packet.data.lowerBound))
    let units = record.arrays.flatMap(\.nalUnits)
    configs[packet.trackID] = Config(bytes: bytes, sets: ParameterSetTracker.keys(of: units))
    for array in record.arrays where array.nalUnits.count > 1 {
      let type = NALUnitType(fieldBits: UInt64(array.nalUnitType))
      guard type.isParameterSet else { continue }
      add(.configPPS, at: tag.offset, "the record has \(array.nalUnits.count) sets of \(type.name)")
    }
    let size = bytes.count - (try record.withoutUserData().bytes().count)
    if size > 0 {
      add(.configSignature, at: tag.offset, "\(size) bytes of the record are user data")
    }
  }

  mutating func frame(_ packet: Packet, _ index: Int, of tag: Tag, in reader: inout TagReader)
    throws(SyntaxError)
  {
    let isFirst = facts.tracks[index].frames == 0
    let time = times(packet, index, of: tag)
    facts.tracks[index].frames += 1
    facts.tracks[index].bytes += packet.data.count
    guard tag.header.type == .video else {
      if packet.codec == .aac, !audioConfigs.contains(packet.trackID), !packet.data.isEmpty {
        add(.audioConfigMissing, at: tag.offset, "an AAC frame comes before the configuration")
      }
      if packet.codec == .aac {
        let place = packet.data.lowerBound - tag.data.lowerBound
        let header = try reader.withData(of: tag, limit: place + 9) {
          ADTSHeader(on: $0.extracting(min(place, $0.count)..<$0.count), count: packet.data.count)
        }
        if header != nil { add(.audioADTS, at: tag.offset, "an AAC frame has an ADTS header") }
      }
      return
    }
    if packet.codec.hasNALUnits, facts.tracks[index].configurations == 0 {
      add(
        .configMissing, at: tag.offset, "a frame comes before the configuration of \(packet.codec)")
    }
    var isKey = packet.frameType == .key || packet.frameType == .generatedKey
    if packet.codec == .hevc {
      isKey = try slices(packet, saysKey: isKey, of: tag, in: &reader)
    } else if packet.codec == .avc {
      _ = try unit(of: packet, tag, in: &reader)
    }
    if isFirst, !isKey {
      add(.firstKey, at: tag.offset, "the first picture is not one that a decoder can start at")
    }
    if isKey {
      facts.tracks[index].keyFrames += 1
      if let last = facts.tracks[index].lastKey {
        let interval = time - last
        facts.tracks[index].longestKeyInterval = max(
          facts.tracks[index].longestKeyInterval, interval)
      }
      facts.tracks[index].lastKey = time
    }
  }

  /// Checks the NAL units of an HEVC frame; returns whether a decoder can begin there.
  private mutating func slices(
    _ packet: Packet, saysKey: Bool, of tag: Tag, in reader: inout TagReader
  ) throws(SyntaxError) -> Bool {
    let unit = try unit(of: packet, tag, in: &reader)
    if let picture = unit.firstPicture, unit.isRandomAccess != saysKey {
      add(
        .frameType, at: tag.offset,
        "the tag says \(packet.frameType), but the picture is \(picture.name)")
    }
    if unit.hasParameterSets, unit.badLength == nil {
      try compareSets(packet, judge.lengthSize(of: packet.trackID), in: reader)
    }
    return unit.isRandomAccess
  }

  /// Returns the facts from the headers of a frame's NAL units; reports lengths that do not add up.
  private mutating func unit(of packet: Packet, _ tag: Tag, in reader: inout TagReader)
    throws(SyntaxError) -> AccessUnit
  {
    let lengthSize = judge.lengthSize(of: packet.trackID)
    let range =
      packet.data.lowerBound - tag.data.lowerBound..<packet.data.upperBound - tag.data.lowerBound
    let unit = try reader.withData(of: tag) { data in
      AccessUnit(packet.codec, data.extracting(range), lengthSize: lengthSize)
    }
    if let place = unit.badLength {
      add(
        .frameLengths, at: packet.data.lowerBound + place,
        "the lengths of \(lengthSize) bytes lead out of a frame of \(packet.data.count) bytes")
    }
    return unit
  }

  private mutating func compareSets(_ packet: Packet, _ lengthSize: Int, in reader: TagReader)
    throws(SyntaxError)
  {
    guard let config = configs[packet.trackID] else { return }
    let bytes = try Extent(reader.source, packet.data).bytes()
    let units = try LengthPrefixed.nalUnits(in: bytes, lengthSize: lengthSize).filter {
      NALUnitHeader(of: $0)?.nalUnitType.isParameterSet == true && !config.reported.contains($0)
    }
    for (key, bytes) in ParameterSetTracker.keys(of: units) {
      let isKnown = config.sets.contains {
        $0.bytes.withoutTrailingZeros == bytes.withoutTrailingZeros
      }
      guard let key, !isKnown else { continue }
      configs[packet.trackID]?.reported.insert(bytes)
      let isThere = config.sets.contains { $0.key == key }
      add(
        .configSets, at: packet.data.lowerBound,
        isThere
          ? "\(key.type.name) \(key.id) in a frame differs from that of the configuration"
          : "\(key.type.name) \(key.id) is in a frame and not in the configuration")
    }
  }

  /// Checks the time of a frame against the rules; returns its repaired time, which continues where times fall.
  private mutating func times(_ packet: Packet, _ index: Int, of tag: Tag) -> Int64 {
    if packet.compositionTime < 0 {
      add(
        .compositionNegative, at: tag.offset,
        "a picture is shown \(-Int64(packet.compositionTime)) ms before it is decoded")
    }
    if tag.time != Int64(tag.header.timestamp), tag.time >> 32 == 0 {
      add(
        .timeWraps, at: tag.offset,
        "the timestamp wraps to \(tag.header.timestamp), but means \(tag.time) ms")
    }
    let time = repair.time(of: tag.header.type, track: packet.trackID, tag.time)
    if let last = repair.fallsFrom {
      add(
        .timeFalls, at: tag.offset,
        "the \(tag.header.type) time goes back from \(last) to \(tag.time) ms")
    }
    let track = facts.tracks[index]
    facts.tracks[index].last = max(track.last, time)
    guard let first = track.first else {
      facts.tracks[index].first = time
      return time
    }
    let step = time - track.last
    if step > 2000, step > 4 * typical, time > first {
      add(
        .timeGap, at: tag.offset, "\(step) ms lie between two frames of \(tag.header.type)")
    }
    if track.isVideo, step > 0 { typical = typical == 0 ? step : (typical * 7 + step) / 8 }
    neighbours(index, of: tag, at: time)
    return time
  }

  /// Reports a large distance to the time that the other media has reached at this place of the file.
  private mutating func neighbours(_ index: Int, of tag: Tag, at time: Int64) {
    let track = facts.tracks[index]
    guard let other = facts.tracks.first(where: { $0.isVideo != track.isVideo && $0.first != nil })
    else { return }
    let gap = (time - other.last).magnitude
    if gap > 1000, gap < 1 << 40 {
      add(
        .avGap, at: tag.offset,
        "at \(time) ms of \(tag.header.type) the other media has come to \(other.last) ms")
    }
  }
}
