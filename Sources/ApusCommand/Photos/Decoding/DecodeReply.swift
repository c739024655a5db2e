// SPDX-License-Identifier: MIT

import ApusMedia

/// A message from a process that decodes for another.
enum DecodeReply: ProcessMessage {
  /// The library with this name and version is loaded, and the process is confined.
  case ready(String)
  /// The rows of a decoded picture follow, plane by plane.
  case picture(PictureFormat)
  /// The picture was whole.
  case done
  /// The library cannot be loaded, or the picture is not whole.
  case failed(MediaError)

  /// The format of the picture; `nil` if it makes no sense.
  var format: PictureFormat? {
    let sides = 1...Int(UInt32.max)
    guard case .picture(let format) = self, sides.contains(format.width),
      sides.contains(format.height), (8...16).contains(format.bitDepth)
    else { return nil }
    return format
  }
}
