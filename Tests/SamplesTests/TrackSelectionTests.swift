// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import Testing

@testable import ApusSamples

@Suite struct TrackSelectionTests {
  private typealias Choice = TrackSelection.Choice

  private let tracks: [CodedTrack] = [
    track(.video), track(.audio, "eng"), track(.audio, "deu"), track(.subtitle, "deu"),
    track(.timecode), track(.video),
  ]

  private static func track(_ kind: CodedTrack.Kind, _ language: String = "und") -> CodedTrack {
    var track = CodedTrack(kind, .other("none", []), timescale: 1000)
    track.language = language
    return track
  }

  @Test func `it finds tracks by kind, number and language, in the order that is asked for`() throws
  {
    let rows: [(choices: [TrackSelection.Choice], languages: [String], found: [Int])] = [
      ([], [], [0, 1, 2, 3, 4, 5]),
      ([Choice(.video, 0), Choice(.audio, 1)], [], [0, 2]),
      ([Choice(.audio, 1), Choice(.audio, 0), Choice(.video)], [], [2, 1, 0, 5]),
      ([Choice(.audio), Choice(.audio, 0), Choice(.data)], [], [1, 2, 4]),
      ([], ["deu"], [0, 2, 3, 4, 5]),
      ([Choice(.video, 1), Choice(.audio)], ["eng"], [5, 1]),
    ]
    for row in rows {
      var selection = TrackSelection()
      (selection.choices, selection.languages) = (row.choices, row.languages)
      #expect(try selection.indices(in: tracks) == row.found)
    }
    var sound = TrackSelection()
    sound.choices = [Choice(.audio, 1)]
    sound.untouched = [.video]
    #expect(try sound.indices(in: tracks) == [2, 0, 5])
  }

  @Test func `it says what there is where something is not`() {
    let rows: [(choices: [TrackSelection.Choice], languages: [String], words: String)] = [
      ([Choice(.audio, 2)], [], "has no track a:2, but v:0, a:0, a:1, s:0, d:0, v:1"),
      ([], ["fra"], "has no sound or subtitles in fra, but in deu, eng"),
    ]
    for row in rows {
      var selection = TrackSelection()
      (selection.choices, selection.languages) = (row.choices, row.languages)
      let error = #expect(throws: MediaError.self) { try selection.indices(in: tracks) }
      #expect(error?.detail == row.words)
    }
  }

  @Test func `it names tracks apart where there are several of a kind`() {
    #expect(
      tracks.names == [
        "none video (v:0)", "none audio (a:0, eng)", "none audio (a:1, deu)", "none subtitles",
        "none timecode", "none video (v:1)",
      ])
  }
}
