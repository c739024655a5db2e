// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia

/// What a decoder handed over, and what it threw.
struct Decoded {
  var format: PictureFormat?
  var samples: [[UInt8]] = []
  var error: MediaError?

  init(
    _ bytes: [UInt8], configuration: [UInt8] = [], by decoder: JPEGDecoder,
    keepsSamples: Bool = true
  ) {
    let picture = CodedPicture(codec: .jpeg, configuration: configuration, samples: [bytes])
    do throws(MediaError) {
      try unsafe decoder.decode(picture) { view in
        format = unsafe view.format
        if keepsSamples { samples = unsafe view.samples }
      }
    } catch {
      self.error = error
    }
  }
}

/// The planes of a JPEG that is whole.
func decoded(_ bytes: [UInt8]) throws -> (format: PictureFormat, samples: [[UInt8]]) {
  let decoded = try Decoded(bytes, by: JPEGDecoder())
  if let error = decoded.error { throw error }
  guard let format = decoded.format else { throw MediaError(.misuse, "nothing was handed over") }
  return (format, decoded.samples)
}

/// Checks bytes that come in pieces.
func check(_ bytes: [UInt8], piece: Int) throws -> JPEGCheck {
  try JPEGCheck {
    var at = 0
    return { (most: Int) throws(MediaError) -> [UInt8] in
      let end = min(at + min(most, piece), bytes.count)
      defer { at = end }
      return Array(bytes[at..<end])
    }
  }
}
