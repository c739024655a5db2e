// SPDX-License-Identifier: MIT

internal import Bytes
internal import FLV
internal import ISOBMFF

/// What the sound of a track is, as its sample entry says.
public struct SoundFacts: Hashable, Sendable {
  public var channels: Int
  /// Samples per second.
  public var rate: Double

  init(channels: Int, rate: Double) {
    self.channels = channels
    self.rate = rate
  }

  init?(_ entry: TrackSampleEntry) {
    let sound: SoundFields
    if let box = entry.located.box(AudioSampleEntry.self) {
      sound = box.sound
    } else if let box = entry.located.box(AudioSampleEntryV1.self) {
      sound = box.sound
    } else {
      return nil
    }
    let coded =
      entry.located.box(at: "esds", as: ElementaryStreamDescription.self)?.channels
      ?? entry.located.box(at: "dac3", as: AC3Specific.self)?.channels
      ?? entry.located.box(at: "dec3", as: EC3Specific.self)?.channels
    // 3GPP TS 26.244, 6.5: what these say of channels is ignored, for AMR has one.
    let isAMR = entry.type == "samr" || entry.type == "sawb"
    channels = isAMR ? 1 : coded ?? Int(sound.channelCount)
    rate = Double(sound.sampleRate) / 65536
  }
}

extension ElementaryStreamDescription {
  /// What the configuration of AAC says, where it does; many sample entries say 2 for one channel as well.
  fileprivate var channels: Int? {
    guard case .elementaryStream(let stream) = descriptor.content else { return nil }
    for inner in stream.descriptors {
      guard case .decoder(let decoder) = inner.content, decoder.objectTypeIndication == 0x40 else {
        continue
      }
      for specific in decoder.descriptors where specific.tag == 5 {
        guard case .bytes(let bytes) = specific.content,
          let configuration = try? AudioSpecificConfig(bytes)
        else { continue }
        // 29 makes two channels of one: parametric stereo.
        guard ![configuration.objectType, configuration.extendedObjectType].contains(29) else {
          return nil
        }
        let counts = [nil, 1, 2, 3, 4, 5, 6, 8]
        let number = Int(configuration.channelConfiguration)
        return counts.indices.contains(number) ? counts[number] : nil
      }
    }
    return nil
  }
}

extension SoundFacts: Described {
  public static let title = "sound"

  public static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == SoundFacts {
    v.required("channels", "How many channels there are.") { $0.channels }
    v.optional("sample_rate", "Samples in a second.") { $0.rate }
  }
}
