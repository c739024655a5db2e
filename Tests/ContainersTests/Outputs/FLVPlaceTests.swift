// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import FLV
import HEVC
import Testing

/// Tracks and where they go in the enhanced and in the legacy dialect; `-` for nowhere.
struct PlaceRow: Sendable, CustomTestStringConvertible {
  var tracks: [CodedTrack]
  var enhanced: String
  var legacy: String

  var testDescription: String { tracks.map(\.name).joined(separator: ", ") }
}

private let hevc = CodedTrack.Format.hevc(DecoderConfigurationRecord())

private func video(_ format: CodedTrack.Format = hevc) -> CodedTrack {
  CodedTrack(.video, format, timescale: 1000)
}

private func audio(_ format: CodedTrack.Format = .aac([0x12, 0x08]), rate: Int = 44100)
  -> CodedTrack
{
  var track = CodedTrack(.audio, format, timescale: 1000)
  track.sampleRate = rate
  track.channels = 2
  return track
}

@Suite struct FLVPlaceTests {
  @Test(arguments: [
    PlaceRow(tracks: [video(), audio()], enhanced: "v0 a0", legacy: "v0 a0"),
    PlaceRow(tracks: [audio(), video()], enhanced: "a0 v0", legacy: "a0 v0"),
    PlaceRow(
      tracks: [video(), video(), audio(), audio()], enhanced: "v0 v1 a0 a1", legacy: "v0 - a0 -"),
    PlaceRow(tracks: [video(.other("apch", [])), audio()], enhanced: "- a0", legacy: "- a0"),
    PlaceRow(
      tracks: [video(.avc([])), audio(.other("Opus", [1]))], enhanced: "v0 a0", legacy: "v0 a0"),
    PlaceRow(tracks: [video(.other("av01", []))], enhanced: "-", legacy: "-"),
    PlaceRow(tracks: [video(.other("av01", [0x81]))], enhanced: "v0", legacy: "v0"),
    PlaceRow(tracks: [audio(.other("Opus", []))], enhanced: "-", legacy: "-"),
    PlaceRow(tracks: [audio(.other("lpcm", []))], enhanced: "-", legacy: "-"),
    PlaceRow(
      tracks: [audio(), audio(.other("alaw", []), rate: 8000)], enhanced: "a0 -", legacy: "a0 -"),
    PlaceRow(tracks: [audio(.other("alaw", []), rate: 8000)], enhanced: "a0", legacy: "a0"),
    PlaceRow(tracks: [audio(.other("alaw", []), rate: 16000)], enhanced: "-", legacy: "-"),
  ])
  func `it finds a place for each track`(row: PlaceRow) {
    for (dialect, expected) in [(HEVCDialect.enhanced, row.enhanced), (.legacy, row.legacy)] {
      let places = FLVPlace.places(of: row.tracks, dialect).map { place in
        switch place {
        case .success(.video(let id)): "v\(id)"
        case .success(.audio(let id)): "a\(id)"
        case .failure: "-"
        }
      }
      #expect(places.joined(separator: " ") == expected)
    }
  }

  @Test func `it refuses HEVC without a dialect`() {
    let places = FLVPlace.places(of: [video()], nil)
    #expect(throws: MediaError.self) { try places[0].get() }
  }
}
