// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode
import Testing

@Suite struct CodecVerificationTests {
  private func facts(_ id: String, _ role: CodecFacts.Role = .encoder) throws -> CodecFacts {
    var query = CodecQuery()
    (query.role, query.ids, query.codecs) = (role, [id], [])
    return try CodecCatalogue(query).first()
  }

  @Test(arguments: ["libx265", "libx264", "aac"])
  func `it finds true what is`(_ id: String) throws {
    let facts = try facts(id)
    let verification = CodecVerification(facts)
    #expect(!verification.trials.isEmpty)
    for trial in verification.trials {
      #expect(trial.isTrue, "\(trial)")
      #expect(trial.decoder.contains("libavcodec"))
      if facts.medium == .pictures { #expect(try #require(trial.similarity) > 12) }
    }
    let claimed = Set(facts.samples.flatMap(\.profiles))
    #expect(claimed == Set(verification.trials.compactMap(\.profile)))
  }

  struct Lie: Sendable, CustomTestStringConvertible {
    var id: String
    var samples: CodecFacts.Samples
    /// What the answer says.
    var words: String
    var testDescription: String { "\(id) \(samples)" }
  }

  /// Claims that no encoder of that name makes true, each wrong in another way.
  static let lies = [
    Lie(
      id: "libx264", samples: .init("yuv420p", bitDepth: 10, chroma: .yuv420),
      words: "but the encoder needs"),
    Lie(
      id: "libx264", samples: .init("yuv420p12le", bitDepth: 12, chroma: .yuv420),
      words: "refuses its settings"),
    Lie(
      id: "libx264",
      samples: .init("yuv420p", bitDepth: 8, chroma: .yuv420, profiles: ["high444"]),
      words: "the profile high444 comes out as High"),
    Lie(
      id: "libx264",
      samples: .init("yuv422p", bitDepth: 8, chroma: .yuv422, profiles: ["baseline"]),
      words: "refuses its settings"),
    Lie(
      id: "libx265",
      samples: .init("yuv420p", bitDepth: 8, chroma: .yuv420, profiles: ["main10"]),
      words: "the profile main10 comes out as Main"),
    Lie(
      id: "libx265",
      samples: .init("yuv444p", bitDepth: 8, chroma: .yuv444, profiles: ["main"]),
      words: "the profile main has no pictures of 8 bits in 444"),
    Lie(
      id: "libx265", samples: .init("yuv420p14le", bitDepth: 14, chroma: .yuv420), words: "14"),
  ]

  @Test(arguments: lies)
  func `it catches a claim that is not true`(_ lie: Lie) throws {
    var facts = try facts(lie.id)
    facts.samples = [lie.samples]
    let verification = CodecVerification(facts)
    #expect(!verification.isTrue)
    let failures = verification.trials.flatMap(\.failures)
    #expect(failures.contains { $0.contains(lie.words) }, "\(failures)")
  }

  @Test
  func `it catches an encoder of another codec`() throws {
    var facts = try facts("libx264")
    facts.codec = "hevc"
    facts.samples = [.init("yuv420p", bitDepth: 8, chroma: .yuv420)]
    #expect(!CodecVerification(facts).isTrue)
    var sound = try self.facts("aac")
    sound.codec = "hevc"
    #expect(!CodecVerification(sound).isTrue)
  }

  @Test
  func `it catches sound in a form that an encoder does not take`() throws {
    var facts = try facts("aac")
    facts.sampleFormats = ["s16"]
    #expect(!CodecVerification(facts).isTrue)
  }

  @Test(arguments: ["hevc", "libde265"])
  func `it tries out a decoder by its own name`(_ id: String) throws {
    let decoder = try facts(id, .decoder)
    let made = CodecVerification(decoder, from: try facts("libx265"))
    #expect(made.trials.map(\.encoder) == ["libx265"])
    #expect(made.trials.first?.decoder.hasPrefix(id) == true)
    #expect(made.isTrue)
    // It takes nothing of that codec.
    #expect(!CodecVerification(decoder, from: try facts("libx264")).isTrue)
  }

  @Test
  func
    `it tries out forms that are no planes of Y, Cb and Cr, and leaves out what only a device holds`()
    throws
  {
    var facts = try facts("libx264")
    facts.samples = [
      .init("nv12", bitDepth: 8, chroma: nil), .init("vaapi", bitDepth: 0, chroma: nil),
    ]
    let verification = CodecVerification(facts)
    #expect(verification.trials.map(\.samples) == ["nv12"])
    #expect(verification.isTrue)
    #expect(verification.untried.map(\.samples) == ["vaapi"])
  }

  @Test(arguments: ["mjpeg", "flac"])
  func `it tries no other codecs`(_ id: String) throws {
    let encoder = CodecVerification(try facts(id))
    let decoder = CodecVerification(try facts(id, .decoder), from: try facts(id))
    for verification in [encoder, decoder] {
      #expect(verification.trials.isEmpty)
      #expect(verification.untried.map(\.samples) == [nil])
    }
  }
}
