// SPDX-License-Identifier: MIT

import HLS
import Testing

@testable import ApusPresentations

struct SoundPlaylistRow: Sendable, CustomTestStringConvertible {
  /// The codec and the language of each sound, and its average and peak rates.
  var sounds: [(codec: String, language: String, rates: (Int, Int))]
  /// The playlist, the codecs, the rates and the group of each variant.
  var variants: [String]
  /// The group, the language and the playlist of each member, and whether it is the default.
  var members: [String]
  var testDescription: String
}

/// Sound without pictures: variants are the same content, RFC 8216, 4.3.4.2, so that languages are members of a group.
struct SoundPlaylistTests {
  static let rows = [
    SoundPlaylistRow(
      sounds: [("mp4a.40.2", "eng", (100, 120))],
      variants: ["1.m3u8 mp4a.40.2 100 120 -"], members: [], testDescription: "one"),
    SoundPlaylistRow(
      sounds: [("mp4a.40.2", "eng", (100, 120)), ("mp4a.40.2", "deu", (90, 150))],
      variants: ["1.m3u8 mp4a.40.2 100 150 audio-1"],
      members: ["audio-1 en 1.m3u8 YES", "audio-1 de 2.m3u8 NO"], testDescription: "two languages"),
    SoundPlaylistRow(
      sounds: [("mp4a.40.2", "eng", (100, 120)), ("ac-3", "eng", (384, 384))],
      variants: ["1.m3u8 mp4a.40.2 100 120 -", "2.m3u8 ac-3 384 384 -"], members: [],
      testDescription: "two codecs"),
    SoundPlaylistRow(
      sounds: [
        ("mp4a.40.2", "eng", (100, 120)), ("mp4a.40.2", "deu", (90, 150)),
        ("ac-3", "eng", (384, 384)), ("ac-3", "deu", (384, 384)),
      ],
      variants: ["1.m3u8 mp4a.40.2 100 150 audio-1", "3.m3u8 ac-3 384 384 audio-2"],
      members: [
        "audio-1 en 1.m3u8 YES", "audio-1 de 2.m3u8 NO", "audio-2 en 3.m3u8 YES",
        "audio-2 de 4.m3u8 NO",
      ], testDescription: "two languages in two codecs"),
  ]

  @Test(arguments: rows)
  func `it offers languages in a group and codecs as variants`(row: SoundPlaylistRow) throws {
    var report = HLSReport()
    for (number, given) in row.sounds.enumerated() {
      var sound = HLSReport.Rendition(
        input: 0, track: "sound", kind: .audio, name: "\(number + 1).m3u8")
      (sound.codec, sound.language) = (given.codec, given.language)
      (sound.averageRate, sound.peakRate) = given.rates
      report.renditions.append(sound)
    }
    guard case .multivariant(let read) = try Playlist(reading: Array(report.playlist().text.utf8))
    else {
      Issue.record("it is no multivariant playlist")
      return
    }
    let variants = read.variants.map { variant in
      let rates = "\(variant.averageBandwidth ?? 0) \(variant.bandwidth)"
      return
        "\(variant.name) \(variant.codecs.joined(separator: ",")) \(rates) \(variant.audio ?? "-")"
    }
    #expect(variants == row.variants)
    let members = read.renditions.map { member in
      let names = "\(member.group) \(member.language ?? "") \(member.name ?? "")"
      return "\(names) \(member.isDefault ? "YES" : "NO")"
    }
    #expect(members == row.members)
  }
}
