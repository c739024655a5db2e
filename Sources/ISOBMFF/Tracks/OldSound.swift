// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The sound of older QuickTime files, which state that each sample has one byte but mean one frame of all channels,
/// whose size is in the sample entry: QuickTime File Format, Sound Sample Descriptions.
enum OldSound {
  /// Returns the number of bytes in a frame; `nil` for other sound.
  static func frameSize(in table: LocatedNode) throws(SyntaxError) -> Int? {
    guard let entry = table.child("stsd")?.children.first,
      let sound = entry.box(AudioSampleEntry.self)
    else { return nil }
    switch sound.quickTime {
    case .version1(let fields) where fields.samplesPerPacket > 1:
      throw SyntaxError(
        .unsupported, field: "\(entry.node.type)", path: entry.path, offset: entry.node.start,
        detail: "has \(fields.samplesPerPacket) moments in a packet and none of them a sample, "
          + "which is not read")
    case .version1(let fields) where fields.samplesPerPacket == 1 && fields.bytesPerFrame > 0:
      return Int(fields.bytesPerFrame)
    case .version2(let fields) where fields.constLPCMFramesPerAudioPacket == 1:
      return Int(fields.constBytesPerAudioPacket)
    default: break
    }
    let channels = Int(sound.sound.channelCount)
    switch entry.node.type {
    case "alaw", "ulaw": return channels
    case "twos", "sowt", "raw ", "NONE": return channels * ((Int(sound.sound.sampleSize) + 7) / 8)
    case "in24": return channels * 3
    case "in32", "fl32": return channels * 4
    case "fl64": return channels * 8
    default: return nil
    }
  }
}
