// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The facts about the sound of a track: from its decoder's configuration first, then its sample entry.
public struct SoundFacts: Hashable, Sendable {
  /// The number of channels; `nil` if unknown.
  public var channels: Int?
  /// Decoded samples per second; `nil` if unknown.
  public var rate: Double?

  /// - Parameter track: a track of a source without known boxes.
  init(_ track: CodedTrack) {
    channels = track.channels
    rate = Double(track.sampleRate)
    if case .aac(let bytes) = track.format { add(try? AudioSpecificConfig(bytes)) }
    dropZeros()
  }

  init?(_ entry: TrackSampleEntry) {
    let located = entry.located
    let sound: SoundFields
    if let box = located.box(AudioSampleEntry.self) {
      sound = box.sound
      if case .version2(let more) = box.quickTime {
        channels = Int(more.numAudioChannels)
        rate = Double(bitPattern: more.audioSampleRate)
      }
    } else if let box = located.box(AudioSampleEntryV1.self) {
      sound = box.sound
    } else {
      return nil
    }
    let lossless = located.box(at: "dmlp", as: TrueHDSpecific.self)
    channels =
      channels ?? located.box(at: "dac3", as: AC3Specific.self)?.channels
      ?? located.box(at: "dec3", as: EC3Specific.self)?.channels
      ?? lossless?.channels ?? Int(sound.channelCount)
    rate =
      rate ?? located.box(at: "srat", as: SamplingRate.self).map { Double($0.samplingRate) }
      ?? lossless?.sampleRate.map { Double($0) } ?? Double(sound.sampleRate) / 65536
    // 3GPP TS 26.244, 6.5: the fields of the entry are ignored, because AMR has one channel.
    if entry.type == "samr" || entry.type == "sawb" { channels = 1 }
    if let apple = located.box(at: "alac", as: ALACSpecific.self) {
      rate = Double(apple.sampleRate)
    }
    let stream =
      located.box(at: "esds", as: ElementaryStreamDescription.self)
      ?? located.box(at: "wave", "esds", as: ElementaryStreamDescription.self)
    add(stream?.decoder?.audio)
    dropZeros()
  }

  private mutating func add(_ config: AudioSpecificConfig?) {
    channels = config?.channels ?? channels
    rate = config?.playedSampleRate.map { Double($0) } ?? rate
  }

  /// Removes zeros: IAMF and others do not store these values in the sample entry, which then has 0.
  private mutating func dropZeros() {
    if channels == 0 { channels = nil }
    if let rate, !rate.isFinite || rate <= 0 { self.rate = nil }
  }
}

extension SoundFacts: Described {
  package static let title = "sound"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == SoundFacts {
    v.optional("channels", "The number of channels.") { $0.channels }
    v.optional("sample_rate", "Samples per second.") { $0.rate }
  }
}
