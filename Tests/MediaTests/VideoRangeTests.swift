// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

/// Expected values are those of RFC 8216bis, 4.4.6.2, and of Dolby's table of profiles and compatible layers.
struct VideoRangeTests {
  @Test(arguments: [(1, "SDR"), (2, "SDR"), (14, "SDR"), (16, "PQ"), (18, "HLG"), (nil, "SDR")])
  func `it is that of the transfer function`(transfer: Int?, range: String) {
    #expect(VideoRange(transfer: transfer).rawValue == range)
  }

  @Test(
    arguments: [
      (5, 0, nil, "PQ"), (5, 0, 2, "PQ"), (5, 0, 1, "PQ"), (8, 1, nil, "PQ"), (8, 1, 16, "PQ"),
      (8, 2, nil, "SDR"), (8, 2, 1, "SDR"), (8, 4, nil, "HLG"), (8, 4, 14, "HLG"),
      (8, 4, 18, "HLG"),
      (7, 6, nil, "PQ"), (9, 2, 1, "SDR"), (10, 0, nil, "PQ"), (10, 4, nil, "HLG"),
    ] as [(Int, Int, Int?, String)])
  func `it is that of the profile of Dolby Vision`(
    profile: Int, compatibility: Int, transfer: Int?, range: String
  ) {
    let found = VideoRange(dolbyVision: profile, compatibility: compatibility, transfer: transfer)
    #expect(found.rawValue == range)
  }
}
