// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The form of the packets of a stream, determined from its configuration and the first packet.
extension ForeignPayload {
  // MARK: - Formats

  /// Returns whether a packet begins with a frame, for codecs whose frames have headers. AVI may begin inside one.
  func canBegin(with bytes: [UInt8]) -> Bool {
    switch stream.codec {
    case "mp2", "mp3": SoundFrames.mpeg.size(bytes.span) != nil
    case "ac3", "eac3": SoundFrames.dolby.size(bytes.span) != nil
    // Decoding begins at a major sync.
    case "truehd": bytes.dropFirst(4).starts(with: [0xf8, 0x72, 0x6f, 0xba])
    default: true
    }
  }

  static func isByteStream(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
  }

  mutating func begin(_ packet: ForeignPacket) throws -> Form {
    let given = stream.configuration
    switch stream.codec {
    case "hevc":
      if given.isEmpty || Self.isByteStream(given) {
        if Self.isByteStream(packet.bytes) || packet.bytes.starts(with: [0, 0, 0, 0]) {
          return .hevc
        }
        let units = try LengthPrefixed.nalUnits(in: packet.bytes, lengthSize: 4)
        let known = AnnexB.nalUnits(in: given)
        format = .hevc(try InBandSets.record(of: known + units, at: 0))
        return .asItIs
      }
      format = .hevc(try completed(try DecoderConfigurationRecord(given), packet))
    case "h264":
      if given.first != 1 || given.count < 7 {
        for unit in AnnexB.nalUnits(in: given) { sets.add(unit) }
        return .avc
      }
      format = .avc(given)
    case "aac":
      if try ADTSFrame.frames(in: packet.bytes) != nil, given.isEmpty { return .adts }
      guard !given.isEmpty else {
        throw MediaError(.unsupported, of: .part("AAC"), "has no AudioSpecificConfig")
      }
      format = .aac(given)
    case "aac_latm": return .latm(LATMReader())
    default:
      format = .other(
        ForeignCodec.code(of: stream, first: packet.bytes),
        ForeignConfiguration.bytes(of: stream, first: packet.bytes))
      if stream.codec == "av1" { return .temporalUnits }
    }
    return .asItIs
  }

  /// Returns a record without parameter sets, completed with those of the first packet.
  func completed(_ record: DecoderConfigurationRecord, _ packet: ForeignPacket)
    throws -> DecoderConfigurationRecord
  {
    let known = record.arrays.flatMap(\.nalUnits)
    let types = Set(known.compactMap { NALUnitHeader(of: $0)?.nalUnitType })
    guard !types.isSuperset(of: [.vps, .sps, .pps]) else { return record }
    let units = try LengthPrefixed.nalUnits(in: packet.bytes, lengthSize: record.lengthSize)
    return try InBandSets.record(of: known + units, lengthSize: record.lengthSize, at: 0)
  }
}
