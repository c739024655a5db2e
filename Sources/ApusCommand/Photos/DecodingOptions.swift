// SPDX-License-Identifier: MIT

import Stills

/// Which pictures of a photo `convert` reads, and how.
struct DecodingOptions: ArgumentGroup {
  static let heading = "Decoding"

  var images = ImageChoice.primary
  var frame: UInt?
  var decoder = DecoderChoice.auto
  var salvage = false
  var isolate = false
  var live: LiveChoice?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "images", "WHICH", &images,
      "the primary picture, or all of them; others are named photo.2.jpg, photo.3.jpg")
    try v.option(
      "live", "WHAT", &live,
      "the video of a Live Photo: copy it beside the output, append it to the JPEG as in Google's motion photos, or leave it out; without this option videos are not looked for"
    )
    try v.option("frame", "N", &frame, "a frame of an image sequence, from 0")
    try v.option(
      "decoder", "LIBRARY", &decoder,
      "the decoder of HEVC; auto is intra, our own, and libavcodec for what intra does not support")
    try v.flag("salvage", &salvage, "write what there is of a broken photo; the exit status is 1")
    try v.flag(
      "isolate", &isolate,
      "decode in processes without network, whose crash costs one photo")
  }

  func apply(to options: inout ConvertOptions) {
    options.images = images
    options.frame = frame.map { Int(clamping: $0) }
    options.decoder = decoder
    options.salvages = salvage
    options.live = live
  }
}

extension ImageChoice: ArgumentValue {}
extension LiveChoice: ArgumentValue {}
extension DecoderChoice: ArgumentValue {}
