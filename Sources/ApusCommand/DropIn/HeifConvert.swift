// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills

/// `heif-convert`, and `heif-dec` as it is called since libheif 1.18: every picture of a HEIF file as a JPEG, PNG or
/// WebP.
struct HeifConvert: DropIn {
  static let names = ["heif-convert", "heif-dec"]
  static let summary =
    "convert the pictures of a HEIF file to JPEG, PNG or WebP, in the place of libheif's program"
  static let discussion = """
    OUT says by its ending what is written: .jpg, .jpeg, .png or .webp; without one a JPEG goes beside the input. Of \
    several pictures each gets a number: OUT-1.jpg, OUT-2.jpg. A file that is there is replaced, once the new one is \
    whole. Names of auxiliary pictures, and the status where the input is not there, are those of the libheif that \
    is installed.

    This is apus, which does what apus convert does. Other than libheif's program it turns photos as Exif asks where the \
    container is silent, resets the orientation in Exif, keeps the gain map of an HDR photo in a JPEG, maps PQ and HLG \
    to what displays show in one, fails for a file that is damaged or whose output cannot be written, and ends with a \
    status other than 0 for an option that is not known.
    """

  var input = ""
  var operand: String?
  var quality = LibraryQuality(90)
  var output: String?
  var decoder: DecoderID?
  var withAuxiliaries = false
  var withXMP = false
  var withExif = false
  var skipsExifOffset = false
  var hasNoColons = false
  var listsDecoders = false
  var quiet = false
  var strict = false
  var compression = CompressionLevel()
  var threads: ThreadCount?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    // Listing decoders takes no input.
    var typed: String? = input.isEmpty ? nil : input
    try v.operand("IN", &typed, completion: .files, "a HEIF file")
    input = typed ?? ""
    try v.operand("OUT", &operand, completion: .files, "what to write, as -o says it")
    try v.option("quality", short: "q", "N", &quality, "quality of a JPEG, 1 to 100")
    try v.option("output", short: "o", "OUT", &output, completion: .files, "what to write")
    try v.option("decoder", short: "d", "ID", &decoder, "the decoder, by its ID in --list-decoders")
    try v.flag("with-aux", &withAuxiliaries, "write depth maps and other auxiliary pictures, too")
    try v.flag("with-xmp", &withXMP, "write XMP beside the picture, as OUT.xmp")
    try v.flag("with-exif", &withExif, "write Exif beside the picture, as OUT.exif")
    try v.flag(
      "skip-exif-offset", &skipsExifOffset, "leave out what precedes the TIFF header of the Exif")
    try v.flag(
      "no-colons", &hasNoColons, "have _ for : in the names of auxiliary pictures")
    try v.flag("list-decoders", &listsDecoders, "list the decoders")
    try v.flag("quiet", &quiet, "print nothing but errors")
    try v.flag(
      "strict", short: "s", &strict, "fail for what is damaged, which is done in any case")
    try v.option(
      "png-compression-level", "N", &compression, "0 (fast) to 9 (small), -1 for the usual one")
    try v.option("codec-threads", "N", &threads, "changes nothing: all processors decode")
    try v.option("tile-threads", "N", &threads, "changes nothing: all processors decode")
  }

  func run(_ console: Console) throws {
    guard !listsDecoders else { return try console.write(DecoderID.list) }
    guard !input.isEmpty else { throw UsageError("IN is missing") }
    guard output == nil || operand == nil else {
      throw UsageError("\"\(operand ?? "")\" is one operand too many, -o says what to write")
    }
    let names = try ConvertedNames(output ?? operand ?? ConvertedNames.usual(for: input))
    try HeifConversion(self, names, console).run()
  }

  /// The options of a conversion to what the names say.
  func options(_ names: ConvertedNames) -> ConvertOptions {
    var options = ConvertOptions()
    options.format = names.format
    options.quality = quality.value
    if let level = compression.level { options.pngCompression = level }
    if let decoder { options.decoder = decoder.choice }
    return options
  }
}

/// Quality that is brought into the range of libjpeg, as libjpeg does it.
struct LibraryQuality: ArgumentValue {
  private(set) var value: Int

  init(_ value: Int) { self.value = value }

  init?(argument: String) {
    guard let value = Int(argument: argument) else { return nil }
    self.value = min(max(value, 1), 100)
  }

  static var expected: String { "a whole number" }
  var argument: String { String(value) }
}

/// The number of decoding threads.
struct ThreadCount: ArgumentValue {
  private let count: Int

  init?(argument: String) {
    guard let count = Int(argument: argument), count >= 0 else { return nil }
    self.count = count
  }

  static var expected: String { "a whole number" }
  var argument: String { String(count) }
}

/// The compression level of a PNG.
struct CompressionLevel: ArgumentValue {
  /// This is `nil` for the usual one.
  private(set) var level: Int?

  init() {}

  init?(argument: String) {
    guard let level = Int(argument: argument), (-1...9).contains(level) else { return nil }
    self.level = level < 0 ? nil : level
  }

  static var expected: String { "a whole number from 0 to 9, or -1" }
  var argument: String { String(level ?? -1) }
}

/// A decoder, as libheif's programs call it.
enum DecoderID: String, CaseIterable, ArgumentValue {
  case apus, ffmpeg, libde265

  var choice: DecoderChoice {
    switch self {
    case .apus: .intra
    case .ffmpeg: .libavcodec
    case .libde265: .libde265
    }
  }

  static var list: String {
    """
    HEIC decoders:
    - apus = Apus HEVC intra decoder, version \(About.version)
    - ffmpeg = FFmpeg HEVC decoder, where libavcodec is installed
    - libde265 = libde265 HEVC decoder, where it is installed

    """
  }
}
