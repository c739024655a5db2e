// SPDX-License-Identifier: MIT

import ApusMedia

@testable import ApusContainers

/// Titles of any form become text of every form, and the cues of a file lie between their ends.
func fuzz(_ bytes: [UInt8]) throws {
  for markup in [TextMarkup.subRip, .subStationAlpha, .webVTT] {
    try write(markup.text(bytes))
  }
  try write(StyledText(sample: bytes))
  for file in [bytes, Array("WEBVTT\n\n".utf8) + bytes] {
    guard let read = try? WebVTTFile(file) else { continue }
    for cue in read.cues {
      try expect(cue.start.isBefore(cue.end), "a cue ends before it begins")
    }
  }
}

private func write(_ text: StyledText) throws {
  let sample = text.sample
  try expect(!text.webVTT.contains("\n\n"), "a cue has an empty line, which ends it")
  _ = text.subRip
  let again = StyledText(sample: sample)
  try expect(again.sample == sample, "a sample is written back to other bytes")
}
