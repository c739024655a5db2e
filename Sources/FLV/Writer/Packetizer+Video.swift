// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import HEVC

extension Packetizer {
  mutating func tags(of frame: Frame, _ track: VideoTrack, at time: Int64) throws(SyntaxError)
    -> [OutgoingTag]
  {
    var tags: [OutgoingTag] = []
    var payload = frame.payload
    var isKey = frame.isKey
    switch track.format {
    case .hevc:
      (tags, payload, isKey) = try lead(into: frame, track, at: time)
    case .avc(let record):
      let lengthSize = Int(record.count > 4 ? record[4] & 3 : 3) + 1
      let units = try LengthPrefixed.heads(in: frame.payload, lengthSize: lengthSize)
      isKey = units.contains { AVCNALUnitType(firstByte: $0.first) == .idr }
    case .other: break
    }
    let (offset, nanoseconds) = try compositionTime(of: frame, decodedAt: time)
    let type: FrameType = isKey ? .key : .inter
    var tag: OutgoingTag
    if let codecID = legacyID(of: track) {
      tag = try OutgoingTag(
        VideoTag(
          type,
          .legacy(LegacyVideo(codecID, packetType: 1, compositionTime: offset, data: Extent()))),
        time: time, payload: payload)
    } else {
      tag = try enhanced(
        type, offset == 0 ? .codedFramesX : .codedFrames, track, offset: offset, time: time,
        nanoseconds: nanoseconds, payload: payload)
    }
    tag.isKey = isKey
    return tags + [tag]
  }

  /// Returns the tags that must precede an HEVC frame, the frame without the units to be removed, and whether a decoder
  /// can begin there.
  private mutating func lead(into frame: Frame, _ track: VideoTrack, at time: Int64)
    throws(SyntaxError) -> (tags: [OutgoingTag], payload: Extent, isKey: Bool)
  {
    guard let tracker = trackers[track.id] else { return ([], frame.payload, false) }
    let lengthSize = tracker.record.lengthSize
    let units = try LengthPrefixed.heads(in: frame.payload, lengthSize: lengthSize)
    let types = units.map { unit in
      unit.range.isEmpty ? .unspec63 : NALUnitType(firstByte: unit.first)
    }
    let isKey = types.first(where: \.isVCL)?.isIRAP ?? false
    guard isKey, types.contains(where: \.isParameterSet) else {
      return ([], frame.payload, isKey)
    }
    let bytes = try frame.payload.bytes()
    let isLead = types.map { $0.isParameterSet || $0 == .prefixSEI }
    let lead = zip(units, isLead).filter(\.1).map { Array(bytes[$0.0.range]) }
    var changed = tracker
    var tags: [OutgoingTag] = []
    if try changed.update(with: lead) {
      tags.append(try end(of: track, at: time))
      trackers[track.id] = changed
      tags.append(try OutgoingTag(metadata(), time: time))
      if ColorInfo(tracker.headers) != nil, ColorInfo(changed.headers) == nil {
        tags += try colors(nil, of: track, at: time)
      }
      tags += try configuration(of: track, at: time)
    }
    guard !options.keepsInBandSets else { return (tags, frame.payload, isKey) }
    let kept = zip(units, types).filter { !$0.1.isParameterSet }.map { Array(bytes[$0.0.range]) }
    return (tags, Extent(try LengthPrefixed.bytes(of: kept, lengthSize: lengthSize)), isKey)
  }

  /// Returns the `CodecID` of a track that is written in the older form.
  private func legacyID(of track: VideoTrack) -> UInt8? {
    switch track.format {
    case .hevc: options.dialect == .legacy ? LegacyVideo.hevc : nil
    // Every receiver knows AVC in the older form; the newer one is only used for further tracks.
    case .avc: track.id == 0 ? LegacyVideo.avc : nil
    case .other: nil
    }
  }

  private func enhanced(
    _ type: FrameType, _ packetType: VideoPacketType, _ track: VideoTrack, offset: Int32 = 0,
    time: Int64, nanoseconds: UInt32 = 0, payload: Extent
  ) throws(SyntaxError) -> OutgoingTag {
    guard case .fourCC(let code) = track.codec else {
      throw Self.refusal("codec", "\(track.codec) has no four-character code")
    }
    var packetType = packetType
    if packetType == .codedFramesX, !EnhancedVideo.hasCompositionTime(code) {
      packetType = .codedFrames
    }
    var packet = EnhancedVideo(packetType, code, compositionTime: offset)
    if nanoseconds > 0 { packet.modifiers = [PacketModifier(nanoseconds: nanoseconds)] }
    if track.id > 0 {
      packet.innerPacketType = packetType
      packet.packetType = .multitrack
      packet.tracks[0].id = track.id
    }
    return try OutgoingTag(VideoTag(type, .enhanced(packet)), time: time, payload: payload)
  }

  /// Returns the tag with colours, unless they are the usual ones, followed by the configuration.
  func configuration(of track: VideoTrack, at time: Int64) throws(SyntaxError) -> [OutgoingTag] {
    var tags: [OutgoingTag] = []
    let bytes: [UInt8]
    switch track.format {
    case .hevc:
      guard let tracker = trackers[track.id] else { return [] }
      bytes = try tracker.record.bytes()
      if let info = ColorInfo(tracker.headers) { tags = try colors(info, of: track, at: time) }
    case .avc(let record), .other(_, let record): bytes = record
    }
    var tag: OutgoingTag
    if let codecID = legacyID(of: track) {
      tag = try OutgoingTag(
        VideoTag(.key, .legacy(LegacyVideo(codecID, packetType: 0, data: Extent()))), time: time,
        payload: Extent(bytes))
    } else {
      tag = try enhanced(.key, .sequenceStart, track, time: time, payload: Extent(bytes))
    }
    tag.isSetup = true
    return tags + [tag]
  }

  /// Returns the tag that sets the colours from here on, or resets them; the older form has no such tag. For further
  /// tracks only the parameter sets contain them: FFmpeg mistakes colours in a multitrack packet for a picture, and
  /// then reads nothing of the file.
  func colors(_ info: ColorInfo?, of track: VideoTrack, at time: Int64)
    throws(SyntaxError) -> [OutgoingTag]
  {
    guard options.dialect == .enhanced, track.id == 0 else { return [] }
    let message = info?.message ?? AMFMessage(["colorInfo", .undefined])
    // FFmpeg looks for colours only in command frames.
    var tag = try enhanced(
      .command, .metadata, track, time: time, payload: Extent(try message.bytes()))
    tag.isSetup = true
    return [tag]
  }

  func end(of track: VideoTrack, at time: Int64) throws(SyntaxError) -> OutgoingTag {
    var tag: OutgoingTag
    if let codecID = legacyID(of: track) {
      tag = try OutgoingTag(
        VideoTag(.key, .legacy(LegacyVideo(codecID, packetType: 2, data: Extent()))), time: time)
    } else {
      tag = try enhanced(.key, .sequenceEnd, track, time: time, payload: Extent())
    }
    tag.isSetup = true
    return tag
  }
}
