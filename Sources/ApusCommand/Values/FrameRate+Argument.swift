// SPDX-License-Identifier: MIT

import HEVC

extension FrameRate: ArgumentValue {
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let first = UInt32(parts[0]), let second = UInt32(parts[1]) else { return nil }
      self.init(UInt64(first), UInt64(second))
      return
    }
    let digits = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(digits.count), let whole = UInt64(digits[0]), whole <= 100_000 else {
      return nil
    }
    guard digits.count == 2 else {
      self.init(whole, 1)
      return
    }
    guard (1...4).contains(digits[1].count), let part = UInt64(digits[1]) else { return nil }
    let scale = (0..<digits[1].count).reduce(UInt64(1)) { power, _ in power * 10 }
    self.init(whole * scale + part, scale)
  }

  static var expected: String { "a frame rate such as 25, 29.97 or 30000/1001" }
  var argument: String { description }
}
