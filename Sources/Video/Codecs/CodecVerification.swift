// SPDX-License-Identifier: MIT

internal import FFmpeg
public import Media

/// What an encoder or a decoder does with a little material, beside what its library claims of it.
public struct CodecVerification: Sendable {
  /// Of one claim.
  public struct Trial: Sendable {
    /// How samples lie: `yuv420p10le`, `fltp`.
    public var samples: String
    public var profile: String?
    /// The same as they came out of a decoder; empty where nothing did.
    public var observedSamples = ""
    /// In the standard's words, as the stream names it.
    public var observedProfile: String?
    /// The encoder where a decoder is tried out, the decoder where an encoder is.
    public var encoder = ""
    public var decoder = ""
    /// Of what came back to what went in, in dB: of luma, or of a tone to all else in the sound.
    public var similarity: Double?
    /// Whether every decoded picture had the checksum that the encoder wrote for its own.
    public var hasRightChecksums = false
    /// What is not as it was claimed.
    public var failures: [String] = []

    public var isTrue: Bool { failures.isEmpty }

    init(_ samples: String, profile: String? = nil) {
      self.samples = samples
      self.profile = profile
    }
  }

  public private(set) var trials: [Trial] = []
  /// Forms that only a device holds, or that are no planes of Y, Cb and Cr.
  public private(set) var unmeasured: [String] = []

  /// Whether all claims are true that were tried out.
  public var isTrue: Bool { trials.allSatisfy(\.isTrue) }

  /// Of an encoder: all forms of samples, each with all its profiles.
  ///
  /// - Parameter size: of the pictures; `nil` for small ones.
  public init(_ facts: CodecFacts, size: (width: Int, height: Int)? = nil) {
    switch facts.medium {
    case .sound:
      let formats: [String?] = facts.sampleFormats.isEmpty ? [nil] : facts.sampleFormats
      trials = formats.map { SoundTrial.run(facts, $0) }
    case .pictures:
      for samples in facts.samples.isEmpty ? [TrialEncoder.standard] : facts.samples {
        guard Self.isMade(samples) else {
          unmeasured.append(samples.name)
          continue
        }
        for profile in [nil] + samples.profiles {
          trials.append(
            PictureTrial.run(facts, samples, profile: profile, size: size ?? TrialEncoder.size))
        }
      }
    }
  }

  /// Of a decoder, with what an encoder of the same codec makes of the form that it likes best.
  public init(_ decoder: CodecFacts, from encoder: CodecFacts) {
    var trial =
      encoder.medium == .sound
      ? SoundTrial.run(encoder, encoder.sampleFormats.first, decoder: decoder.id)
      : PictureTrial.run(
        encoder, encoder.samples.first { $0.name == "yuv420p" } ?? TrialEncoder.standard,
        decoder: decoder.id)
    // A name that is the codec's, too, may open another.
    guard trial.decoder.isEmpty || trial.decoder.hasPrefix(decoder.id + " ") else {
      unmeasured.append("\(decoder.codec), which \(trial.decoder) takes over")
      return
    }
    trial.encoder = encoder.id
    trials.append(trial)
  }

  /// Whether pictures can be made here in that form: planes of Y, Cb and Cr in the order of bytes of this machine.
  private static func isMade(_ samples: CodecFacts.Samples) -> Bool {
    guard let chroma = samples.chroma else { return false }
    let format = PictureFormat(
      width: 16, height: 16, chroma: chroma, bitDepth: samples.bitDepth)
    // A name that says something else is tried out all the same: that is a claim, too.
    return samples.name.hasPrefix("yuv4") && !samples.name.hasSuffix("be")
      || samples.name == format.pixelFormatName
  }
}
