// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The NAL units of a coded picture of HEVC that describe its light, and no other picture's: they stay right when it is
/// encoded again with the same samples.
struct PictureCompanions: Hashable, Sendable {
  /// Messages with the dynamic metadata of HDR10+ (SMPTE ST 2094-40).
  var messages: [[UInt8]] = []
  /// The mappings of Dolby Vision (RPUs).
  var mappings: [[UInt8]] = []

  var isEmpty: Bool { messages.isEmpty && mappings.isEmpty }

  /// Finds them in a sample; none in one that is damaged.
  init(in sample: [UInt8], lengthSize: Int) {
    let ranges = (try? LengthPrefixed.units(in: sample.span, lengthSize: lengthSize)) ?? []
    for range in ranges where !range.isEmpty {
      switch NALUnitType(firstByte: sample[range.lowerBound]) {
      case .unspec62: mappings.append(Array(sample[range]))
      case .prefixSEI:
        if let own = Self.dynamicMetadata(of: Array(sample[range])) { messages.append(own) }
      default: break
      }
    }
  }

  /// Returns a message that has of a NAL unit nothing but the metadata.
  private static func dynamicMetadata(of bytes: [UInt8]) -> [UInt8]? {
    // The country, the provider and the kind, without which there is nothing to read.
    guard bytes.firstOccurrence(of: [0xb5, 0x00, 0x3c, 0x00, 0x01, 0x04]) != nil,
      let information = NALUnit<SupplementalInformation>(bytes).payload
    else { return nil }
    var kept = SupplementalInformation()
    kept.messages = information.messages.filter { message in
      guard let data = message.payload as? RegisteredUserData else { return false }
      if case .hdr10Plus = data.content { return true }
      return false
    }
    guard !kept.messages.isEmpty else { return nil }
    return try? NALUnit(NALUnitHeader(.prefixSEI), kept).bytes()
  }

  /// Returns them with changed mappings of Dolby Vision; throws if the syntax of one is not known.
  func changed(_ changes: ReferenceProcessingUnit.Changes) throws(SyntaxError) -> PictureCompanions
  {
    guard !changes.isEmpty else { return self }
    var result = self
    for index in mappings.indices {
      var unit = NALUnit<ReferenceProcessingUnit>(mappings[index])
      switch unit.content {
      case .raw(_, let error): throw error
      case .typed(let payload, let trailing):
        unit.content = .typed(try payload.changed(changes), trailing)
      }
      result.mappings[index] = try unit.bytes()
    }
    return result
  }

  /// The NAL units, each after its length: what goes with a picture through filters.
  var bytes: [UInt8] { (try? LengthPrefixed.bytes(of: messages + mappings)) ?? [] }

  /// Reads what `bytes` returned.
  init(_ bytes: [UInt8]) { self.init(in: bytes, lengthSize: 4) }
}

/// The companions of pictures that a decoder has not returned yet.
struct WaitingCompanions {
  private let lengthSize: Int?
  private var waiting: [Int64: [UInt8]] = [:]

  init(_ format: CodedTrack.Format) {
    lengthSize = if case .hevc = format { format.lengthSize } else { nil }
  }

  mutating func add(_ sample: [UInt8], at presentationTime: Int64) {
    guard let lengthSize else { return }
    let found = PictureCompanions(in: sample, lengthSize: lengthSize)
    if !found.isEmpty { waiting[presentationTime] = found.bytes }
  }

  /// Returns a decoded picture with its companions.
  mutating func joined(_ frame: VideoFrame) throws(MediaError) -> VideoFrame {
    guard !waiting.isEmpty else { return frame }
    let own = waiting[frame.time.value]
    // Those of pictures that the decoder left out never come.
    waiting = waiting.filter { $0.key > frame.time.value }
    return try own.map { own throws(MediaError) in try frame.accompanied(by: own) } ?? frame
  }
}
