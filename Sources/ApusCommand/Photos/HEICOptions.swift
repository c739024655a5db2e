// SPDX-License-Identifier: MIT

import ApusStills
import HEVC

/// The options of `convert` for encoding a HEIC.
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
      "bits per sample; default 8, or 10 for a deeper source")
    try v.flag(
      "lossless", &lossless, "encode losslessly, keeping the chroma subsampling")
    try v.option(
      "encoder", "NAME", &encoder,
      """
      HEVC encoder
      Auto uses the built-in encoder for 4:2:0 and grey, and libx265 for --lossless, sequences and \
      other chroma subsampling
      """
    )
    try v.option(
      "speed", "PRESET", &speed,
      """
      encoding effort; slower gives smaller files
      The built-in encoder has three speeds: ultrafast to fast, medium (the default), and slow to \
      placebo. For libx265 it is a preset, tuned for SSIM, up to slow with rd=1; veryfast to \
      medium are identical, as are slower and veryslow
      """
    )
    try v.flag(
      "single", &single,
      """
      encode a single picture instead of tiles of 512 samples
      Some devices cannot open large single pictures
      """)
    try v.option(
      "thumbnail-size", "N", &thumbnailSize,
      "longer side of the embedded thumbnail; 320 with --thumbnail")
    try v.option(
      "gain-map", "FORM", &gainMap,
      """
      how the gain map of an HDR photo is stored
      Iso is a tmap item (ISO 21496-1); apple is the auxiliary picture for Apple devices before \
      iOS 18
      """
    )
    try v.option(
      "group", "KIND", &group,
      "write all inputs into one HEIC")
    try v.option(
      "fps", "RATE", &frameRate, "frame rate of --group sequence; default 10")
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

/// The longer side of an embedded thumbnail.
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
