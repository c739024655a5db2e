// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusSamples
internal import HEVC

/// Searches the pictures themselves for closed captions: ATSC A/53, part 4, 6.2.3.
struct CaptionSearch: Sendable {
  private let lengthSize: Int
  private let isHEVC: Bool
  /// The channels found so far.
  private(set) var channels = CaptionChannels()

  /// Returns `nil` for a codec whose pictures are not searched.
  init?(_ format: CodedTrack.Format) {
    switch format {
    case .hevc: isHEVC = true
    case .avc: isHEVC = false
    case .aac, .other: return nil
    }
    lengthSize = format.lengthSize
  }

  /// The country, the provider, `GA94`, and the code for captions. Emulation prevention cannot occur inside.
  private static let mark: [UInt8] = [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

  mutating func look(into payload: Extent) throws {
    let heads: [LengthPrefixed.Head]
    do {
      heads = try LengthPrefixed.heads(in: payload, lengthSize: lengthSize)
    } catch {
      // A damaged sample is for the decoder to judge.
      guard error.kind != .io else { throw error }
      return
    }
    for head in heads where isMessage(head.first) {
      let start = payload.range.lowerBound
      let range = start + head.range.lowerBound..<start + head.range.upperBound
      let bytes = try payload.source.bytes(in: range)
      guard bytes.firstOccurrence(of: Self.mark) != nil else { continue }
      for data in isHEVC ? Self.data(inHEVC: bytes) : Self.data(inAVC: bytes) {
        if case .atsc(let content) = data.content, let captions = content.captions {
          channels.add(captions.packets)
        }
      }
    }
  }

  /// Returns whether the first byte of a NAL unit marks supplemental enhancement information.
  private func isMessage(_ first: UInt8) -> Bool {
    isHEVC
      ? NALUnitType(firstByte: first) == .prefixSEI : AVCNALUnitType(firstByte: first) == .sei
  }

  private static func data(inHEVC bytes: [UInt8]) -> [RegisteredUserData] {
    let messages = NALUnit<SupplementalInformation>(bytes).payload?.messages ?? []
    return messages.compactMap { $0.payload as? RegisteredUserData }
  }

  private static func data(inAVC bytes: [UInt8]) -> [RegisteredUserData] {
    var reader = SyntaxReader(escaped: bytes)
    var (header, information) = (AVCNALUnitHeader(), AVCSupplementalInformation())
    do throws(SyntaxError) {
      try header.syntax(&reader)
      try information.syntax(&reader)
    } catch {
      return []
    }
    return information.messages.filter { $0.payloadType == RegisteredUserData.payloadType }
      .compactMap { RegisteredUserData(reading: $0.payload) }
  }
}
