// SPDX-License-Identifier: MIT

import Media
import Transcode

/// Encoders and decoders for a program; Schemas/codecs.schema.json describes it.
struct CodecsJSON {
  /// Whether to list what can be set on all codecs of a library, too.
  var showsCommon: Bool

  func write<Output: TextOutputStream>(
    _ encoders: CodecCatalogue, _ decoders: CodecCatalogue?,
    _ verified: [VerifiedCodec],
    to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.key("encoders")
      json.array { json in
        for facts in encoders.codecs { write(facts, verified, to: &json) }
      }
      json.key("decoders")
      json.array { json in
        for facts in decoders?.codecs ?? [] { write(facts, verified, to: &json) }
      }
      json.key("unavailable")
      json.array { json in
        for catalogue in [encoders, decoders].compactMap(\.self) {
          for refusal in catalogue.refused {
            json.object { json in
              json.field("role", catalogue.query.role.rawValue)
              json.field("id", refusal.id)
              json.field("reason", refusal.reason)
            }
          }
        }
      }
      json.field("fell_back", encoders.fellBack)
    }
  }

  private func write<Output: TextOutputStream>(
    _ facts: CodecFacts, _ verified: [VerifiedCodec], to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("id", facts.id)
      json.field("codec", facts.codec)
      json.field("medium", facts.medium.rawValue)
      json.field("library", facts.library)
      json.field("purpose", facts.purpose)
      json.field("hardware", facts.isHardware)
      if !facts.device.isEmpty { json.field("device", facts.device) }
      switch facts.medium {
      case .pictures:
        numbers("bit_depths", facts.bitDepths, &json)
        texts("chroma", facts.chromas.map(\.name), &json)
        texts("pixel_formats", facts.samples.map(\.name), &json)
      case .sound:
        texts("sample_formats", facts.sampleFormats, &json)
        numbers("sample_rates", facts.sampleRates, &json)
      }
      texts("profiles", facts.profiles, &json)
      properties("properties", facts.options, &json)
      if showsCommon { properties("common_properties", facts.commonOptions, &json) }
      if let own = verified.first(where: { $0.role == facts.role && $0.id == facts.id }) {
        write(own.verification, &json)
      }
    }
  }

  private func texts<Output: TextOutputStream>(
    _ name: String, _ texts: [String], _ json: inout JSONWriter<Output>
  ) {
    json.key(name)
    json.array { json in for text in texts { json.value(text) } }
  }

  private func numbers<Output: TextOutputStream>(
    _ name: String, _ numbers: [Int], _ json: inout JSONWriter<Output>
  ) {
    json.key(name)
    json.array { json in for number in numbers { json.value(number) } }
  }

  private func properties<Output: TextOutputStream>(
    _ name: String, _ options: [CodecOption], _ json: inout JSONWriter<Output>
  ) {
    json.key(name)
    json.array { json in
      for option in options {
        json.object { json in
          json.field("name", option.name)
          json.field("type", option.kind.rawValue)
          if let standard = option.standard { json.field("default", standard) }
          if let least = option.least { json.field("minimum", least) }
          if let greatest = option.greatest { json.field("maximum", greatest) }
          if !option.choices.isEmpty { texts("choices", option.choices, &json) }
          if !option.purpose.isEmpty { json.field("purpose", option.purpose) }
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ verification: CodecVerification, _ json: inout JSONWriter<Output>
  ) {
    json.key("verified")
    json.array { json in
      for trial in verification.trials {
        json.object { json in
          json.field("samples", trial.samples)
          if let profile = trial.profile { json.field("profile", profile) }
          json.field("true", trial.isTrue)
          if !trial.observedSamples.isEmpty {
            json.field("observed_samples", trial.observedSamples)
          }
          if let profile = trial.observedProfile { json.field("observed_profile", profile) }
          if !trial.encoder.isEmpty { json.field("encoder", trial.encoder) }
          if !trial.decoder.isEmpty { json.field("decoder", trial.decoder) }
          if let similarity = trial.similarity {
            json.key("similarity")
            json.number((similarity * 100).rounded() / 100)
          }
          json.field("checksums", trial.hasRightChecksums)
          texts("failures", trial.failures, &json)
        }
      }
    }
    json.key("not_tried")
    json.array { json in
      for untried in verification.untried {
        json.object { json in
          if let samples = untried.samples { json.field("samples", samples) }
          json.field("reason", untried.reason)
        }
      }
    }
  }
}
