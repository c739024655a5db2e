// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// A frame of AAC with an ADTS header (`adts_frame()`): ISO/IEC 14496-3, 1.A.2.
struct ADTSFrame: Hashable, Sendable {
  /// The range of its data, after the header.
  var data: Range<Int>
  var configuration: [UInt8]

  /// Returns the frames of a packet; `nil` if it does not consist entirely of such frames.
  static func frames(in bytes: [UInt8]) throws(SyntaxError) -> [ADTSFrame]? {
    var frames: [ADTSFrame] = []
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= 7, bytes[position] == 0xff, bytes[position + 1] & 0xf6 == 0xf0
      else { return nil }
      let header = bytes[position..<position + 7].map { UInt32($0) }
      let size = Int((header[3] & 3) << 11 | header[4] << 3 | header[5] >> 5)
      let headerSize = header[1] & 1 == 1 ? 7 : 9
      guard size > headerSize, size <= bytes.count - position else { return nil }
      let channels = UInt8(header[2] & 1) << 2 | UInt8(header[3] >> 6)
      guard header[6] & 3 == 0 else {
        throw refusal("has more than one block in a frame (number_of_raw_data_blocks_in_frame)")
      }
      guard channels > 0 else {
        throw refusal("says its channels inside the frames (program_config_element)")
      }
      var config = AudioSpecificConfig()
      config.objectType = UInt8(header[2] >> 6) + 1
      config.frequencyIndex = UInt8(header[2] >> 2) & 15
      config.channelConfiguration = channels
      frames.append(
        ADTSFrame(
          data: position + headerSize..<position + size, configuration: try config.bytes()))
      position += size
    }
    return frames.isEmpty ? nil : frames
  }

  private static func refusal(_ detail: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "ADTS", detail: detail + ", which is not supported")
  }
}
