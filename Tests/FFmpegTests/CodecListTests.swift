// SPDX-License-Identifier: MIT

import ApusFFmpeg
import ApusMedia
import Testing

@Suite struct CodecListTests {
  private func facts(_ role: CodecFacts.Role, _ id: String) throws -> CodecFacts {
    try #require(try CodecList().codecs(role, named: [id]).first)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var id: String
    var name: String
    var option: CodecOption
    var testDescription: String { "\(id) \(name)" }
  }

  /// As `ffmpeg -h encoder=…` of FFmpeg 5.1 prints them.
  static let rows = [
    Row(
      id: "libx264", name: "preset",
      option: CodecOption("preset", .text, standard: "medium")),
    Row(
      id: "libx264", name: "crf",
      option: CodecOption("crf", .number, standard: "-1", least: "-1")),
    Row(
      id: "libx264", name: "fastfirstpass",
      option: CodecOption("fastfirstpass", .flag, standard: "true")),
    Row(
      id: "libx264", name: "aq-mode",
      option: CodecOption(
        "aq-mode", .choice, standard: "-1", least: "-1",
        choices: ["none", "variance", "autovariance", "autovariance-biased"])),
    Row(
      id: "aac", name: "aac_coder",
      option: CodecOption(
        "aac_coder", .choice, standard: "twoloop", least: "0", greatest: "2",
        choices: ["anmr", "twoloop", "fast"])),
  ]

  @Test(arguments: rows)
  func `it says of options what the library says`(_ row: Row) throws {
    var option = try #require(
      try facts(.encoder, row.id).options.first { $0.name == row.name })
    #expect(!option.purpose.isEmpty)
    option.purpose = ""
    #expect(option == row.option)
  }

  @Test
  func `it keeps encoders and decoders apart`() throws {
    let encoders = try CodecList().codecs(.encoder, of: ["aac", "hevc"])
    let decoders = try CodecList().codecs(.decoder, of: ["aac", "hevc"])
    #expect(encoders.contains { $0.id == "libx265" } && !encoders.contains { $0.id == "hevc" })
    #expect(decoders.contains { $0.id == "hevc" } && !decoders.contains { $0.id == "libx265" })
    #expect(try facts(.encoder, "aac").sampleFormats == ["fltp"])
    #expect(try facts(.encoder, "aac").sampleRates.last == 96000)
    #expect(try facts(.decoder, "hevc").options.contains { $0.name == "apply_defdispwin" })
  }

  @Test
  func `it pairs profiles of H.264 with the samples that need them`() throws {
    let facts = try facts(.encoder, "libx264")
    let ten = try #require(facts.samples.first { $0.name == "yuv422p10le" })
    #expect((ten.bitDepth, ten.chroma) == (10, .yuv422))
    #expect(ten.profiles == ["high422"])
  }

  @Test
  func `it says why a device does not open`() throws {
    let list = try CodecList()
    #expect(list.refusal(ofDevice: "toaster", at: nil)?.contains("not a kind of device") == true)
    #expect(list.refusal(ofDevice: "vaapi", at: "/dev/null") != nil)
  }

  @Test
  func `it opens no encoder on a device that does not open`() throws {
    let list = try CodecList()
    let error = #expect(throws: MediaError.self) {
      try list.open(facts(.encoder, "hevc_vaapi"), onDeviceAt: "/dev/null", width: 128, height: 96)
    }
    #expect(error?.kind == .missing)
    // One that needs no device.
    let other = #expect(throws: MediaError.self) {
      try list.open(facts(.encoder, "libx264"), onDeviceAt: nil, width: 128, height: 96)
    }
    #expect(other?.message.contains("not a kind of device") == true)
  }
}
