// SPDX-License-Identifier: MIT

import HLS
import Testing

@testable import ApusPresentations

struct CaptionPlaylistRow: Sendable, CustomTestStringConvertible {
  /// The channels of each video; `nil` where they are not known.
  var videos: [[String]?]
  /// What `CLOSED-CAPTIONS` says for each.
  var declared: [String?]
  /// The members of the group, with whether a player may choose them.
  var members: [String] = []
  var testDescription: String { "\(videos)" }
}

struct CaptionPlaylistTests {
  static let rows = [
    CaptionPlaylistRow(videos: [[]], declared: ["NONE"]),
    CaptionPlaylistRow(videos: [nil], declared: [nil]),
    CaptionPlaylistRow(videos: [[], nil], declared: [nil, nil]),
    CaptionPlaylistRow(videos: [["CC1"]], declared: ["captions"], members: ["CC1 YES"]),
    CaptionPlaylistRow(
      videos: [["CC1", "SERVICE1"], ["CC1", "CC3"]], declared: ["captions", "captions"],
      members: ["CC1 YES", "SERVICE1 NO", "CC3 NO"]),
    // RFC 8216, 4.3.4.2: NONE is for all variants or for none.
    CaptionPlaylistRow(
      videos: [["CC1"], []], declared: ["captions", nil], members: ["CC1 YES"]),
  ]

  @Test(arguments: rows)
  func `it declares the channels of captions`(row: CaptionPlaylistRow) throws {
    var report = HLSReport()
    for (number, captions) in row.videos.enumerated() {
      var video = HLSReport.Rendition(
        input: 0, track: "HEVC video", kind: .video, name: "video-\(number + 1)/index.m3u8")
      video.captions = captions
      report.renditions.append(video)
    }
    let bytes = Array(report.playlist().text.utf8)
    guard case .multivariant(let playlist) = try Playlist(reading: bytes) else {
      Issue.record("it is no multivariant playlist")
      return
    }
    #expect(playlist.variants.map(\.closedCaptions) == row.declared)
    let members = playlist.renditions.map {
      "\($0.instream ?? "") \($0.isAutomatic ? "YES" : "NO")"
    }
    #expect(members == row.members)
    #expect(playlist.renditions.allSatisfy { $0.kind == .closedCaptions && $0.name == nil })
  }
}
