// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The messages of pictures that an encoder has not returned yet, to be put next to their slices: encoders return pictures
/// in decoding order, and not each knows messages of its pictures.
struct PictureMessages {
  private let isHEVC: Bool
  /// The captions and companions of pictures, by their presentation times.
  private var waiting: [Int64: (captions: [CaptionData.Packet], companions: PictureCompanions)] =
    [:]

  /// - Parameter format: that of the encoder.
  init(_ format: CodedTrack.Format) {
    isHEVC = if case .hevc = format { true } else { false }
  }

  /// Adds the messages of a picture that the encoder gets.
  ///
  /// - Parameter companions: NAL units of HEVC, for an encoder of HEVC.
  mutating func add(
    _ captions: [CaptionData.Packet], _ companions: PictureCompanions, at presentationTime: Int64
  ) {
    guard !captions.isEmpty || !companions.isEmpty else { return }
    waiting[presentationTime] = (captions, companions)
  }

  /// Puts messages before the slices of a picture, and the mapping of Dolby Vision after them.
  mutating func put(into unit: inout CodedUnit) throws(MediaError) {
    guard let found = waiting.removeValue(forKey: unit.presentationTime) else { return }
    do throws(SyntaxError) {
      var units = try LengthPrefixed.nalUnits(in: unit.payload, lengthSize: 4)
      guard let place = units.firstIndex(where: isSlice) else { return }
      let slice = units[place]
      if !found.captions.isEmpty {
        units.insert(try message(found.captions, before: slice), at: place)
      }
      units.insert(contentsOf: found.companions.messages.map { $0.belonging(to: slice) }, at: place)
      units += found.companions.mappings.map { $0.belonging(to: slice) }
      unit.payload = try LengthPrefixed.bytes(of: units)
    } catch {
      throw MediaError(.corrupt, "messages do not fit the encoded picture: \(error.message)")
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
    return try NALUnit(NALUnitHeader(.prefixSEI), information).bytes().belonging(to: slice)
  }
}

extension [UInt8] {
  /// Returns a NAL unit of HEVC as one of the picture of a slice, whose sub-layer and layer it has.
  fileprivate func belonging(to slice: [UInt8]) -> [UInt8] {
    guard count >= NALUnitHeader.size, let header = NALUnitHeader(of: slice),
      var own = NALUnitHeader(of: self)
    else { return self }
    (own.nuhLayerID, own.nuhTemporalIDPlus1) = (header.nuhLayerID, header.nuhTemporalIDPlus1)
    let bytes = (try? own.encoded()) ?? []
    return bytes + dropFirst(NALUnitHeader.size)
  }
}
