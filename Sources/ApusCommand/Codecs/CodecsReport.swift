// SPDX-License-Identifier: MIT

public import ApusFacts
public import ApusMedia
public import ApusTranscode

/// The output of `apus codecs --json`.
struct CodecsReport: Described {
  let encoders: CodecCatalogue
  let decoders: CodecCatalogue?
  let verified: [VerifiedCodec]
  /// Whether to list the properties that a library has for all its codecs, too.
  let showsCommon: Bool

  static let title = "codecs"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CodecsReport {
    v.required("encoders", "The encoders, best first.") { $0.entries($0.encoders) }
    v.required("decoders", "The decoders; empty with --size, --require or --prefer.") {
      $0.decoders.map($0.entries) ?? []
    }
    v.required("unavailable", "Those that a library has but that cannot be used here.") {
      [$0.encoders, $0.decoders].compactMap(\.self).flatMap { catalogue in
        catalogue.refused.map { UnavailableCodec(role: catalogue.query.role, refusal: $0) }
      }
    }
    v.required("fell_back", "Whether no codec is of the make that --prefer names.") {
      $0.encoders.fellBack
    }
  }

  private func entries(_ catalogue: CodecCatalogue) -> [CodecEntry] {
    catalogue.codecs.map { facts in
      CodecEntry(
        facts: facts, common: showsCommon ? facts.commonOptions : nil,
        verification: verified.first { $0.role == facts.role && $0.id == facts.id }?.verification)
    }
  }
}

private struct UnavailableCodec: Described {
  let role: CodecFacts.Role
  let refusal: CodecCatalogue.Refusal

  static let title = "unavailable"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == UnavailableCodec {
    v.required("role", "Whether it encodes or decodes.") { $0.role }
    v.required("id", "The name that the library has for it.") { $0.refusal.id }
    v.required("reason", "The reason, worded to follow its name.") { $0.refusal.reason }
  }
}

private struct CodecEntry: Described {
  let facts: CodecFacts
  let common: [CodecOption]?
  let verification: CodecVerification?

  static let title = "codec"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CodecEntry {
    v.required("id", "The name that the library has for it: libx265.") { $0.facts.id }
    v.required("codec", "The name of the codec in FFmpeg: hevc.") { $0.facts.codec }
    v.required("medium", "The medium.") { $0.facts.medium }
    v.required("library", "The library with its version.") { $0.facts.library }
    v.required("purpose", "The library's description of it.") { $0.facts.purpose }
    v.required("hardware", "Whether it runs in hardware.") { $0.facts.isHardware }
    v.optional("device", "The kind of device that it needs.") { $0.facts.device.nonEmpty }
    v.optional("bit_depths", "The bit depths of pictures.") { $0.pictures?.bitDepths }
    v.optional("chroma", "The chroma formats of pictures.") { $0.pictures?.chromas }
    v.optional("pixel_formats", "FFmpeg's names of the picture formats; empty if not named.") {
      $0.pictures?.samples.map(\.name)
    }
    v.optional("sample_formats", "FFmpeg's names of the sound formats.") { $0.sound?.sampleFormats }
    v.optional("sample_rates", "The sample rates in Hz; empty for any.") { $0.sound?.sampleRates }
    v.required("profiles", "The names of profiles that the library takes.") { $0.facts.profiles }
    v.required("properties", "The properties that can be set.") { $0.facts.options }
    v.optional(
      "common_properties", "With --properties: those that the library has for all its codecs."
    ) { $0.common }
    v.optional("verified", "With --verify: the trials.") { $0.verification?.trials }
    v.optional("not_tried", "With --verify: the forms of samples that could not be tried.") {
      $0.verification?.untried
    }
  }

  private var pictures: CodecFacts? { facts.medium == .pictures ? facts : nil }
  private var sound: CodecFacts? { facts.medium == .sound ? facts : nil }
}

extension CodecFacts.Role: FactValue {}
extension CodecFacts.Medium: FactValue {}
extension CodecOption.Kind: FactValue {}

extension CodecOption: Described {
  public static let title = "property"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == CodecOption {
    v.required("name", "The name.") { $0.name }
    v.required("type", "The type of its values.") { $0.kind }
    v.optional("default", "The default as typed; absent if the codec decides.") { $0.standard }
    v.optional("minimum", "The minimum as typed.") { $0.least }
    v.optional("maximum", "The maximum as typed.") { $0.greatest }
    v.optional("choices", "Words that may be typed for values.") { $0.choices.nonEmpty }
    v.optional("purpose", "The library's description of it.") { $0.purpose.nonEmpty }
  }
}

extension CodecVerification.Trial: Described {
  public static let title = "trial"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == CodecVerification.Trial {
    v.required("samples", "The claimed form of samples.") { $0.samples }
    v.optional("profile", "The claimed profile.") { $0.profile }
    v.required("true", "Whether the claim is true.") { $0.isTrue }
    v.optional("observed_samples", "The form of samples that a decoder returned.") {
      $0.observedSamples.nonEmpty
    }
    v.optional("observed_profile", "The profile that the stream names, in the standard's words.") {
      $0.observedProfile
    }
    v.optional("encoder", "The encoder whose stream a decoder was given.") { $0.encoder.nonEmpty }
    v.optional("decoder", "The decoder, with its library and version.") { $0.decoder.nonEmpty }
    v.optional("similarity", "The similarity of the decoded luma to the original, in dB.") {
      $0.similarity.map { ($0 * 100).rounded() / 100 }
    }
    v.required("checksums", "Whether decoded pictures match the checksums that the encoder wrote.")
    {
      $0.hasRightChecksums
    }
    v.required("failures", "The claims that are false.") { $0.failures }
  }
}

extension CodecVerification.Untried: Described {
  public static let title = "untried"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == CodecVerification.Untried {
    v.optional("samples", "The form of samples; absent if nothing could be tried.") { $0.samples }
    v.required("reason", "The reason.") { $0.reason }
  }
}
