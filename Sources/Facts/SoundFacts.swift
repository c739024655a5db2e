// SPDX-License-Identifier: MIT

internal import Bytes
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
    channels = Int(sound.channelCount)
    rate = Double(sound.sampleRate) / 65536
  }
}

extension SoundFacts: Described {
  public static let title = "sound"

  public static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == SoundFacts {
    v.required("channels", "How many channels there are.") { $0.channels }
    v.optional("sample_rate", "Samples in a second.") { $0.rate }
  }
}
