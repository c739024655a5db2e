// SPDX-License-Identifier: MIT

import ApusMedia
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
  var tileSize: TileSide?
  var colour: ColourDescription?
  var thumbnailSizes: [ThumbnailSide] = []
  var gainMap = HEICChoices.GainMapForm.iso
  var group: ImageDestination.Group?
  var frameRate: FrameRate?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try encodingArguments(&v)
    try structureArguments(&v)
    try extraArguments(&v)
  }

  private mutating func encodingArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "bit-depth", "BITS", &bitDepth,
      """
      bits per sample; default 8, or 10 for a deeper source
      The built-in encoder codes 8 and 10, libx265 also 12
      """)
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
  }

  /// Declares the options for the structure and the colour description of the coded picture.
  private mutating func structureArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.flag(
      "single", &single,
      """
      encode a single picture instead of tiles of 512 samples
      Some devices cannot open large single pictures
      """)
    try v.option(
      "tile-size", "N", &tileSize, excludes: ["single"],
      "side of the tiles, a multiple of 64; default 512")
    try v.option(
      "nclx", "P/T/M/RANGE", &colour,
      """
      colour description to write instead of the source's
      Primaries, transfer function and matrix are numbers of ITU-T H.273, and RANGE is full or \
      limited, as in 1/13/6/full. Samples are coded with the matrix and the range; the primaries \
      and the transfer function are only stated
      """)
  }

  /// Declares the options for everything besides the picture: thumbnails, gain map and further pictures.
  private mutating func extraArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "thumbnail-size", "N", &thumbnailSizes,
      """
      longer side of the embedded thumbnail; 320 with --thumbnail
      Give it several times for several thumbnails
      """)
    try v.option(
      "gain-map", "FORM", &gainMap,
      """
      how the gain map of an HDR photo is stored
      Iso is a tmap item (ISO 21496-1); apple is the auxiliary picture for Apple devices before \
      iOS 18; both is one map with both descriptions, as new iPhones write it
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
    options.heic.tileSide = tileSize?.count
    options.heic.colour = colour
    options.heic.thumbnailSides = thumbnailSizes.map(\.count)
    if thumbnailSizes.isEmpty, options.makesThumbnail { options.heic.thumbnailSides = [320] }
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
  case twelve = "12"

  var count: Int {
    switch self {
    case .eight: 8
    case .ten: 10
    case .twelve: 12
    }
  }
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

/// The side of the tiles of a HEIC.
struct TileSide: ArgumentValue {
  var count = 512

  init() {}
  init?(argument: String) {
    guard let count = Int(argument: argument), (64...8192).contains(count), count % 64 == 0 else {
      return nil
    }
    self.count = count
  }

  static var expected: String { "a multiple of 64 from 64 to 8192" }
  var argument: String { String(count) }
}

extension ColourDescription: ArgumentValue {
  init?(argument: String) {
    let fields = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let numbers = fields.prefix(3).compactMap { Int(argument: $0) }
    guard fields.count == 4, numbers.count == 3, numbers.allSatisfy({ (0...255).contains($0) }),
      ["full", "limited"].contains(fields[3])
    else { return nil }
    self.init(
      primaries: numbers[0], transfer: numbers[1], matrix: numbers[2],
      isFullRange: fields[3] == "full")
  }

  static var expected: String { "three numbers and full or limited, such as 1/13/6/full" }
  var argument: String {
    "\(primaries)/\(transfer)/\(matrix)/\(isFullRange ? "full" : "limited")"
  }
}
