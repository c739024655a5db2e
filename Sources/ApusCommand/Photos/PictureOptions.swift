// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills

/// The options for the pictures that `convert` writes.
struct PictureOptions: ArgumentGroup {
  static let heading = "Picture"

  var format: OutputFormat?
  var quality: Quality?
  var maxSize: LargestSize?
  var enlarges = false
  var crop: PictureCrop?
  var rotate: QuarterTurn?
  var flip: FlipDirection?
  var chroma = ChromaChoice.auto
  var progressive = false
  var optimize = false
  var background = HexColour()
  var srgb = false
  var hdr = HDRChoice.keep
  var headroom: Headroom?
  var strictHDR = false
  var orientation = OrientationChoice.auto
  var keepsOrientationTag = false
  var strip: StrippedMetadata?
  var thumbnail = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try formatArguments(&v)
    try geometryArguments(&v)
    try codingArguments(&v)
    try colourArguments(&v)
    try metadataArguments(&v)
  }

  private mutating func formatArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "format", "FORMAT", &format,
      """
      output format; by default from the extension of OUT
      Without OUT it is JPEG
      """)
    try v.option(
      "quality", short: "q", "N", &quality,
      """
      quality, 1 to 100; default 90, for HEIC 60
      The scale is libjpeg's for JPEG, libwebp's for WebP and heif-enc's for HEIC. With this option \
      a JPEG or HEIC is re-encoded, never copied
      """
    )
  }

  private mutating func geometryArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "max-size", "SIZE", &maxSize,
      """
      shrink to N pixels on the longer side, or to fit WxH
      Smaller pictures are enlarged only with --enlarge
      """
    )
    try v.flag(
      "enlarge", &enlarges, needs: "max-size",
      "with --max-size, also enlarge smaller pictures to that size")
    try v.option(
      "crop", "PART", &crop,
      """
      crop to WxH+X+Y, or to the aspect ratio W:H
      The position is in the upright picture; an aspect ratio keeps as much of its centre as \
      possible
      """
    )
    try v.option("rotate", "DEGREES", &rotate, "rotate the upright picture clockwise")
    try v.option("flip", "HOW", &flip, "flip the upright picture, after any rotation")
  }

  private mutating func codingArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "chroma", "FORM", &chroma,
      """
      chroma subsampling
      Auto keeps the photo's subsampling in a JPEG, and is 420 in a HEIC
      """
    )
    try v.flag("progressive", &progressive, "write a progressive JPEG")
    try v.flag(
      "optimize", &optimize, "make JPEGs a few percent smaller, using more time and memory")
  }

  private mutating func colourArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "background", "#RRGGBB", &background,
      "background colour if the output has no alpha")
    try v.flag("srgb", &srgb, "convert colours to sRGB instead of keeping their profile")
    try v.option(
      "hdr", "WHAT", &hdr,
      """
      keep, drop or apply HDR
      Keep writes a JPEG or HEIC with the gain map, or a PNG or HEIC with PQ or HLG samples; apply \
      applies the gain map and writes a PQ PNG; tonemap is the same as drop
      """
    )
    try v.option(
      "headroom", "STOPS", &headroom,
      """
      brightness range of the display for --hdr apply, in stops
      By default the full range of the photo
      """)
    try v.flag("strict-hdr", &strictHDR, "fail if a gain map cannot be kept, instead of warning")
  }

  private mutating func metadataArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "orientation", "WHO", &orientation,
      """
      source of the orientation
      Auto uses Exif only if the container has no orientation
      """
    )
    try v.flag(
      "keep-orientation-tag", &keepsOrientationTag,
      "keep samples as stored and set the orientation tag in Exif")
    try v.option("strip", "WHAT", &strip, "remove GPS coordinates, or all metadata")
    try v.flag(
      "thumbnail", &thumbnail, "make a new Exif thumbnail, or embed one in a HEIC")
  }

  func apply(to options: inout ConvertOptions) {
    if let quality {
      options.quality = quality.value
      options.copiesPictures = false
    }
    options.bounds = maxSize?.bounds
    options.bounds?.enlarges = enlarges
    options.crop = crop
    options.turn = rotate?.orientation ?? .upright
    if let flip { options.turn = options.turn.then(flip.orientation) }
    options.chroma = chroma
    options.isProgressive = progressive
    options.isOptimized = optimize
    options.background = background.samples
    options.convertsToSRGB = srgb
    options.hdr = hdr
    options.headroom = headroom?.stops
    options.isStrictAboutHDR = strictHDR
    options.orientation = orientation
    options.keepsOrientationTag = keepsOrientationTag
    options.strip = strip?.choice ?? .nothing
    options.makesThumbnail = thumbnail
  }
}

extension OutputFormat: ArgumentValue {}
extension ChromaChoice: ArgumentValue {}
extension HDRChoice: ArgumentValue {}
extension OrientationChoice: ArgumentValue {}

/// A quality on libjpeg's scale.
struct Quality: ArgumentValue {
  var value = 90

  init() {}
  init?(argument: String) {
    guard let value = Int(argument: argument), (1...100).contains(value) else { return nil }
    self.value = value
  }

  static var expected: String { "a whole number from 1 to 100" }
  var argument: String { String(value) }
}

extension OutputFormat {
  /// The longest side of a resized picture, which is held in memory whole.
  static let longestScaledSide = 16_384
}

/// A display's headroom above white, in stops.
struct Headroom: ArgumentValue {
  var stops = 0.0

  init() {}
  init?(argument: String) {
    guard let stops = Double(argument), (0...16).contains(stops) else { return nil }
    self.stops = stops
  }

  static var expected: String { "a number from 0 to 16, such as 2.3" }
  var argument: String { String(stops) }
}

/// Red, green and blue as on a web page: `#ffcc00`.
struct HexColour: ArgumentValue {
  var samples: [UInt8] = [255, 255, 255]

  init() {}
  /// - Parameter samples: red, green and blue.
  init(_ samples: [UInt8]) { self.samples = samples }
  init?(argument: String) {
    let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
    guard digits.utf8.count == 6, let code = UInt32(hexadecimal: digits) else { return nil }
    samples = code.bigEndianBytes.suffix(3)
  }

  static var expected: String { "six hexadecimal digits, such as #ffcc00" }
  var argument: String { "#" + samples.hexadecimal() }
}

/// The metadata that `--strip` removes.
enum StrippedMetadata: String, CaseIterable, ArgumentValue {
  case gps, all

  var choice: StripChoice { self == .gps ? .gps : .all }
}
