// SPDX-License-Identifier: MIT

import HEVC
import Stills

/// How `convert` codes a HEIC.
struct HEICOptions: ArgumentGroup {
  static let heading = "HEIC"

  var bitDepth: CodedBits?
  var lossless = false
  var encoder = EncoderChoice.auto
  var speed: HEICChoices.Speed?
  var single = false
  var thumbnailSize: ThumbnailSide?
  var gainMap = HEICChoices.GainMapForm.iso
  var group: ImageDestination.Group?
  var frameRate: FrameRate?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "bit-depth", "BITS", &bitDepth,
      "bits per sample; by default 8, or 10 for a deeper source")
    try v.flag(
      "lossless", &lossless, "encode samples without loss, keeping the colour sampling")
    try v.option(
      "encoder", "NAME", &encoder,
      """
      HEVC encoder
      Auto is the built-in encoder, which supports 4:2:0 and grey, and libx265 for --lossless, \
      sequences and other chroma subsampling
      """
    )
    try v.option(
      "speed", "PRESET", &speed,
      """
      encoding effort; slower gives smaller files
      The built-in encoder has three speeds: ultrafast to fast, medium (the default), and slow to \
      placebo. For libx265 it is a preset, tuned for SSIM, up to slow with rd=1; veryfast to \
      medium are the same there, as are slower and veryslow
      """
    )
    try v.flag(
      "single", &single,
      """
      code one picture instead of tiles of 512 samples
      Not every device opens a large picture
      """)
    try v.option(
      "thumbnail-size", "N", &thumbnailSize,
      "embed a small picture with this longer side; --thumbnail: 320")
    try v.option(
      "gain-map", "FORM", &gainMap,
      """
      how the gain map of an HDR photo is stored
      Iso is a tmap item (ISO 21496-1); apple is the auxiliary picture that Apple's devices before \
      iOS 18 read
      """
    )
    try v.option(
      "group", "KIND", &group,
      "write all inputs into one HEIC")
    try v.option(
      "fps", "RATE", &frameRate, "pictures per second of --group sequence; by default 10")
  }

  func apply(to options: inout ConvertOptions) {
    options.heic.bitDepth = bitDepth?.count
    options.heic.isLossless = lossless
    options.heic.encoder = encoder
    if let speed { options.heic.speed = speed }
    options.heic.isSingle = single
    options.heic.gainMap = gainMap
    options.heic.thumbnailSide = thumbnailSize?.count ?? (options.makesThumbnail ? 320 : nil)
  }
}

extension EncoderChoice: ArgumentValue {}
extension HEICChoices.Speed: ArgumentValue {}
extension HEICChoices.GainMapForm: ArgumentValue {}
extension ImageDestination.Group: ArgumentValue {}

/// Bits of a coded sample.
enum CodedBits: String, CaseIterable, ArgumentValue {
  case eight = "8"
  case ten = "10"

  var count: Int { self == .eight ? 8 : 10 }
}

/// The longer side of an embedded picture.
struct ThumbnailSide: ArgumentValue {
  var count = 320

  init() {}
  init?(argument: String) {
    guard let count = Int(argument: argument), (16...4096).contains(count) else { return nil }
    self.count = count
  }

  static var expected: String { "a whole number from 16 to 4096" }
  var argument: String { String(count) }
}
