// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills

/// The maximum size of a picture: `1024`, the longer side, or `1600x1200`.
struct LargestSize: ArgumentValue {
  var bounds: PictureBounds

  init(_ side: Int) { bounds = PictureBounds(width: side, height: side) }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(sides.count), let width = sides[0], let height = sides.last ?? nil,
      [width, height].allSatisfy({ (1...OutputFormat.longestScaledSide).contains($0) })
    else { return nil }
    bounds = PictureBounds(width: width, height: height)
  }

  static var expected: String {
    "a whole number from 1 to \(OutputFormat.longestScaledSide), or two, such as 1600x1200"
  }

  var argument: String {
    bounds.width == bounds.height ? "\(bounds.width)" : "\(bounds.width)x\(bounds.height)"
  }
}

/// A part of a picture, `640x480+10+20`, or the aspect ratio of its centre, `16:9`.
extension PictureCrop: ArgumentValue {
  init?(argument: String) {
    let sides = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    if sides.count == 2, let width = sides[0], let height = sides[1] {
      guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
      self = .proportions(width: width, height: height)
      return
    }
    let numbers = argument.split(separator: "+", omittingEmptySubsequences: false)
    guard numbers.count == 3, let x = Int(numbers[1]), let y = Int(numbers[2]) else { return nil }
    let size = numbers[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard size.count == 2, let width = size[0], let height = size[1],
      [x, y].allSatisfy({ (0...1 << 20).contains($0) }),
      [width, height].allSatisfy({ (1...1 << 20).contains($0) })
    else { return nil }
    self = .area(PixelRect(x: x, y: y, width: width, height: height))
  }

  static var expected: String {
    "a size and position, such as 640x480+10+20, or an aspect ratio, such as 16:9"
  }

  var argument: String {
    switch self {
    case .area(let rect): "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)"
    case .proportions(let width, let height): "\(width):\(height)"
    }
  }
}

/// The clockwise rotation of a picture.
enum QuarterTurn: String, CaseIterable, ArgumentValue {
  case quarter = "90"
  case half = "180"
  case threeQuarters = "270"

  var orientation: Orientation {
    switch self {
    case .quarter: Orientation(quarterTurns: 1)
    case .half: Orientation(quarterTurns: 2)
    case .threeQuarters: Orientation(quarterTurns: 3)
    }
  }
}

/// The direction in which a picture is flipped.
enum FlipDirection: String, CaseIterable, ArgumentValue {
  case horizontal, vertical

  var orientation: Orientation {
    Orientation(isMirrored: true, quarterTurns: self == .horizontal ? 0 : 2)
  }
}
