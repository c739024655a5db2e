// SPDX-License-Identifier: MIT

import ApusMedia
import ApusX265
import Testing

@Suite struct X265FactsTests {
  static let options = (try? X265Facts.encoder().options) ?? []

  @Test
  func `it names the forms and profiles of a library that has all bit depths`() throws {
    let facts = try X265Facts.encoder()
    #expect(facts.bitDepths == [8, 10, 12])
    #expect(facts.chromas == Chroma.allCases)
    #expect(facts.profiles.contains("main") && facts.profiles.contains("main422-10"))
    let ten = try #require(facts.samples.first { $0.name == "yuv420p10le" })
    #expect(ten.profiles == ["main10", "main10-intra"])
    #expect(facts.options.count > 100)
  }

  /// Opens the library with one setting, without its words on the error stream.
  private func opens(_ name: String, _ value: String) -> Bool {
    var settings = X265Settings(
      PictureFormat(width: 128, height: 128, chroma: .yuv420, bitDepth: 8))
    settings.preset = "medium"
    settings.parameters = [.init("pools", "1"), .init("frame-threads", "1"), .init(name, value)]
    // What the setting asks for beside itself.
    if name == "ref" { settings.parameters.append(.init("allow-non-conformance", "1")) }
    if name == "rc-lookahead", value == "250" { settings.parameters.append(.init("keyint", "300")) }
    do {
      _ = try X265Encoder(settings)
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: options)
  func `it says standard values that the library takes`(_ option: CodecOption) {
    guard let standard = option.standard, option.name != "preset" else { return }
    #expect(opens(option.name, option.kind == .flag ? (standard == "true" ? "1" : "0") : standard))
  }

  @Test(arguments: options.filter { !$0.choices.isEmpty })
  func `it says words that the library takes`(_ option: CodecOption) {
    guard !["preset", "tune", "profile"].contains(option.name) else { return }
    for choice in option.choices {
      // Blocks cannot be larger than the largest, nor transforms smaller than 4.
      if option.name == "min-cu-size", choice == "64" { continue }
      #expect(opens(option.name, choice), "\(option.name)=\(choice)")
    }
  }

  @Test(
    arguments: options.filter { $0.least != nil || $0.greatest != nil })
  func `it says the bounds that the library keeps`(_ option: CodecOption) {
    func text(_ value: Double) -> String { option.kind == .integer ? "\(Int(value))" : "\(value)" }
    if let least = option.least.flatMap({ Double($0) }) {
      #expect(opens(option.name, text(least)), "least")
      #expect(!opens(option.name, text(least - 1)), "below the least")
    }
    if let greatest = option.greatest.flatMap({ Double($0) }) {
      #expect(opens(option.name, text(greatest)), "greatest")
      #expect(!opens(option.name, text(greatest + 1)), "beyond the greatest")
    }
  }
}
