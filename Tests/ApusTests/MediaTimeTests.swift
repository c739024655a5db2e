// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

struct MediaTimeTests {
  @Test(arguments: [
    ("12.5", 12_500), ("0", 0), ("1:02:03", 3_723_000), ("1:30", 90_000), ("0:01.25", 1250),
    ("2s", 2000), ("500ms", 500), ("1m30s", 90_000), ("2h", 7_200_000), ("1.5s", 1500),
    ("1h2m3s", 3_723_000), ("90m", 5_400_000), ("1s500ms", 1500), ("0.5ms", 1),
    ("1h30s", 3_630_000),
  ])
  func `it is read from seconds, a clock, or numbers with units`(_ text: String, _ length: Int64) {
    #expect(MediaTime(argument: text)?.milliseconds == length)
  }

  @Test(arguments: [
    "", "s", "ms", "-1s", "1x", "1s2m", "1s1s", "1 s", "1e3s", "infs", "1:30s", "30s1", "1.2.3s",
    "5S",
    "1:60", "1e12", "9999999999h", "nan", "m1",
  ])
  func `it is not read from anything else`(_ text: String) {
    #expect(MediaTime(argument: text) == nil)
  }

  @Test(arguments: ["6", "0.5", "90", "1.25"])
  func `it is written as it would be typed`(_ text: String) {
    #expect(MediaTime(argument: text)?.argument == text)
  }

  @Test(arguments: [
    ("250", GroupLength.pictures(250)), ("2s", .milliseconds(2000)), ("500ms", .milliseconds(500)),
    ("1m", .milliseconds(60_000)), ("0", .pictures(0)), ("2.5", nil), ("2h", nil), ("0s", nil),
  ])
  func `it is told from a number of pictures by its unit`(_ text: String, _ length: GroupLength?) {
    #expect(GroupLength(argument: text)?.argument == length?.argument)
  }
}
