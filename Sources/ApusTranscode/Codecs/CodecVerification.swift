// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia

/// The behaviour of an encoder or a decoder with a little material, as opposed to the claims of its library.
public struct CodecVerification: Sendable {
  /// The trial of one claim.
  public struct Trial: Sendable {
    /// The form of samples: `yuv420p10le`, `fltp`.
    public var samples: String
    /// The profile that was requested; `nil` for the encoder's choice.
    public var profile: String?
    /// The form of samples that came out of a decoder; empty if nothing did.
    public var observedSamples = ""
    /// The profile in the standard's words, as declared by the stream.
    public var observedProfile: String?
    /// The encoder when a decoder is tested, the decoder when an encoder is.
    public var encoder = ""
    /// The decoder that read the result; the one under test if a decoder is tested.
    public var decoder = ""
    /// The similarity of the decoded luma to the original, in dB; `nil` for sound.
    public var similarity: Double?
    /// Whether every decoded picture had the checksum that the encoder wrote for its own.
    public var hasRightChecksums = false
    /// The differences from the claims.
    public var failures: [String] = []

    /// Whether the claim is true: nothing differed from it.
    public var isTrue: Bool { failures.isEmpty }

    init(_ samples: String, profile: String? = nil) {
      self.samples = samples
      self.profile = profile
    }
  }

  /// A test that could not be done.
  public struct Untried: Hashable, Sendable {
    /// The form of samples, if the test concerns only one.
    public var samples: String?
    /// The reason, worded so that it can follow "because".
    public var reason: String
  }

  /// The trials in the order in which they were made.
  public private(set) var trials: [Trial] = []
  /// The claims that could not be tested here, with the reasons.
  public private(set) var untried: [Untried] = []

  /// The codecs whose encoders and decoders are verified, by FFmpeg's names.
  private static let codecs: Set<String> = ["hevc", "h264", "av1", "aac"]
  private static let otherCodec = "only HEVC, H.264, AV1 and AAC are verified"

  /// Whether all tested claims are true.
  public var isTrue: Bool { trials.allSatisfy(\.isTrue) }

  /// Verifies an encoder: all forms of samples, each with all its profiles.
  ///
  /// - Parameter size: the size of the pictures; `nil` for small ones, or whatever the encoder accepts.
  public init(_ facts: CodecFacts, size: (width: Int, height: Int)? = nil) {
    guard Self.codecs.contains(facts.codec) else {
      untried = [Untried(reason: Self.otherCodec)]
      return
    }
    switch facts.medium {
    case .sound:
      let formats: [String?] = facts.sampleFormats.isEmpty ? [nil] : facts.sampleFormats
      trials = formats.map { SoundTrial.run(facts, $0) }
    case .pictures:
      for samples in facts.samples.isEmpty ? [TrialEncoder.standard] : facts.samples {
        if let reason = Self.reason(samples) {
          untried.append(Untried(samples: samples.name, reason: reason))
          continue
        }
        for profile in [nil] + samples.profiles {
          trials.append(PictureTrial.run(facts, samples, profile: profile, size: size))
        }
      }
    }
  }

  /// Returns the reason why pictures cannot be made here in that form; `nil` if they can.
  private static func reason(_ samples: CodecFacts.Samples) -> String? {
    guard !samples.isPlanes else { return nil }
    guard samples.bitDepth > 0 else { return "only a device holds such pictures" }
    do throws(MediaError) {
      let format = PictureFormat(
        width: TrialEncoder.size.width, height: TrialEncoder.size.height, chroma: .monochrome,
        bitDepth: 8)
      var pictures = try TrialPictures(format, samples)
      _ = try pictures.frame(0)
      return pictures.likeness.similarity == nil ? "nothing here tells what they show" : nil
    } catch {
      return "no such pictures can be made here (\(error.message))"
    }
  }

  /// Verifies a decoder with material from an encoder of the same codec, in a form that it encodes correctly.
  ///
  /// - Parameter good: a trial of the encoder that succeeded; `nil` uses the form that it prefers.
  public init(_ decoder: CodecFacts, from encoder: CodecFacts, like good: Trial? = nil) {
    guard Self.codecs.contains(decoder.codec) else {
      untried = [Untried(reason: Self.otherCodec)]
      return
    }
    let liked = encoder.samples.first { $0.name == good?.samples }
    let plain =
      encoder.samples.first { $0.name == "yuv420p" } ?? encoder.samples.first(where: \.isPlanes)
    let sound = good.map(\.samples) ?? encoder.sampleFormats.first
    var trial =
      encoder.medium == .sound
      ? SoundTrial.run(encoder, sound == "any" ? nil : sound, decoder: decoder.id)
      : PictureTrial.run(encoder, liked ?? plain ?? TrialEncoder.standard, decoder: decoder.id)
    // A name that is also the name of the codec may open another decoder.
    guard trial.decoder.isEmpty || trial.decoder.hasPrefix(decoder.id + " ") else {
      untried.append(
        Untried(reason: "by the name \(decoder.id), \(trial.decoder) takes its place"))
      return
    }
    trial.encoder = encoder.id
    trials.append(trial)
  }

  /// Creates the verification of a decoder for which there is nothing to decode.
  public init(without encoder: CodecFacts.Role, of codec: String) {
    untried = [
      Untried(
        reason: Self.codecs.contains(codec)
          ? "there is no \(encoder.rawValue) of \(codec) here whose work it could take"
          : Self.otherCodec)
    ]
  }
}
