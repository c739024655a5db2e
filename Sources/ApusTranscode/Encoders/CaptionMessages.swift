// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The closed captions of pictures that an encoder has not returned yet: encoders return pictures in decoding order, and
/// not each knows messages of its pictures.
struct CaptionMessages {
  private let isHEVC: Bool
  /// The packets by the presentation times of their pictures.
  private var waiting: [Int64: [CaptionData.Packet]] = [:]

  /// - Parameter format: that of the encoder.
  init(_ format: CodedTrack.Format) {
    isHEVC = if case .hevc = format { true } else { false }
  }

  /// Adds the captions of a picture that the encoder gets.
  mutating func add(_ packets: [CaptionData.Packet], at presentationTime: Int64) {
    if !packets.isEmpty { waiting[presentationTime] = packets }
  }

  /// Puts its captions before the slices of a picture.
  mutating func put(into unit: inout CodedUnit) throws(MediaError) {
    guard let packets = waiting.removeValue(forKey: unit.presentationTime) else { return }
    do throws(SyntaxError) {
      var units = try LengthPrefixed.nalUnits(in: unit.payload, lengthSize: 4)
      guard let place = units.firstIndex(where: isSlice) else { return }
      units.insert(try message(packets, before: units[place]), at: place)
      unit.payload = try LengthPrefixed.bytes(of: units)
    } catch {
      throw MediaError(.corrupt, "captions do not fit the encoded picture: \(error.message)")
    }
  }

  private func isSlice(_ nalUnit: [UInt8]) -> Bool {
    guard let first = nalUnit.first else { return false }
    return isHEVC
      ? NALUnitType(firstByte: first).isVCL : AVCNALUnitType(firstByte: first).isVCL
  }

  /// Returns the NAL unit of a message: ATSC A/53, part 4, 6.2.3.
  private func message(
    _ packets: [CaptionData.Packet], before slice: [UInt8]
  ) throws(SyntaxError) -> [UInt8] {
    var captions = CaptionData()
    captions.packets = packets
    var content = ATSCUserData()
    content.userDataTypeCode = 3
    content.captions = captions
    var data = RegisteredUserData()
    data.ituTT35CountryCode = 0xb5
    data.ituTT35ProviderCode = 0x31
    data.content = .atsc(content)
    let message = SEIMessage(data)
    guard isHEVC else {
      var information = AVCSupplementalInformation()
      var own = AVCSupplementalInformation.Message()
      own.payloadType = message.payloadType
      own.payload = try message.payloadBytes()
      information.messages = [own]
      var writer = SyntaxWriter(ArraySink(), escaping: true)
      var (header, end) = (AVCNALUnitHeader(), TrailingBits())
      header.nalUnitType = .sei
      try header.syntax(&writer)
      try information.syntax(&writer)
      try end.syntax(&writer)
      return writer.sink.bytes
    }
    var information = SupplementalInformation()
    information.messages = [message]
    let temporal = NALUnitHeader(of: slice)?.nuhTemporalIDPlus1 ?? 1
    return try NALUnit(NALUnitHeader(.prefixSEI, temporalIDPlus1: temporal), information).bytes()
  }
}
