// SPDX-License-Identifier: MIT

/// `1920x1080`.
struct FrameSize: ArgumentValue {
  let width: Int
  let height: Int

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (16...16384).contains(width), (16...16384).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  static var expected: String { "a width and height from 16 to 16384, such as 1920x1080" }
  var argument: String { "\(width)x\(height)" }
}
