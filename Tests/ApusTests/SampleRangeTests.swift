// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

struct SampleRangeTests {
  @Test(arguments: [
    ("3", [3]), ("2-4", [2, 3, 4]), ("all", Array(1...10)), ("200ms-400ms", [3, 4]),
    ("0.25s", [3]), ("0:00", [1]), ("0.9s-1h", [10]), ("100-200", []),
  ]) func `it selects samples`(_ argument: String, _ numbers: [Int]) throws {
    let range = try #require(SampleRange(argument: argument))
    let chosen = (1...10).filter { range.contains($0, at: Double($0 - 1) / 10, for: 0.1) }
    #expect(chosen == numbers)
    #expect(range.argument == argument)
  }

  @Test(arguments: ["0", "3-2", "-3", "3-", "x", "1-2-3", "2s-1s", ""])
  func `it refuses what is no range`(_ argument: String) {
    #expect(SampleRange(argument: argument) == nil)
  }
}
