// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusDe265
internal import ApusMedia
internal import HEVC

/// Tests of libde265, which decodes the pictures of photos and does not list its own capabilities.
enum De265Trial {
  static let id = "libde265"

  static func facts() throws(MediaError) -> CodecFacts {
    var facts = CodecFacts(
      .decoder, id, codec: "hevc", .pictures, library: try De265Decoder().name)
    facts.purpose = "libde265, a decoder of H.265, for photos"
    return facts
  }

  /// Decodes the first picture of a byte stream, which must be decodable without others.
  ///
  /// - Returns: the decoder's name.
  static func decode(
    _ packet: TrialEncoder.Packet, _ headers: [UInt8], into comparison: inout PatternComparison
  ) throws(MediaError) -> String {
    let picture: CodedPicture
    do {
      let record = try RecordBuilder().record(of: AnnexB.nalUnits(in: headers)).record
      picture = CodedPicture(
        codec: .hevc, configuration: try record.bytes(),
        samples: [try AnnexB.lengthPrefixed(packet.bytes)])
    } catch {
      throw MediaError(.corrupt, error.message)
    }
    let decoder = try De265Decoder()
    try unsafe decoder.decode(picture) { view in
      unsafe comparison.add(view, 0)
    }
    return decoder.name
  }
}
