// SPDX-License-Identifier: MIT

import ApusMedia

/// `1280x720+320+180`.
struct CropArea: ArgumentValue {
  let rect: PixelRect

  init?(argument: String) {
    let parts = argument.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count == 3, let size = FrameSize(argument: String(parts[0])), let x = Int(parts[1]),
      let y = Int(parts[2]), (0...65535).contains(x), (0...65535).contains(y)
    else { return nil }
    rect = PixelRect(x: x, y: y, width: size.width, height: size.height)
  }

  static var expected: String { "a size and position, such as 1280x720+320+180" }
  var argument: String { "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)" }
}
