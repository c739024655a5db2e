// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills
import HEVC

/// `heif-enc`: JPEGs and PNGs as the pictures of one HEIC.
struct HeifEnc: DropIn {
  static let names = ["heif-enc"]
  static let summary =
    "code JPEG, PNG, Y4M and HEIC pictures as one HEIC, in the place of libheif's program"
  static let discussion = """
    Several pictures go into one file, the first of them as the primary one. Without -o that is OUT where the last \
    operand ends with .heic, .heif or .hif, and otherwise called like the first picture. A file that is there is \
    replaced, once the new one is whole.

    This is apus, which does what apus convert does. Other than libheif's program it codes a picture that is larger than \
    512 samples in tiles, as phones do, takes the planes of a JPEG as they are, says orientation as the container has \
    it, and embeds no alpha in thumbnails.
    """

  var quality = EncodedQuality()
  var lossless = false
  var thumbnail: ThumbnailSide?
  var hasNoAlpha = false
  var hasNoThumbnailAlpha = false
  var output: String?
  var parameters: [EncoderParameter] = []
  var showsParameters = false
  var bitDepth = CodedBits.ten
  var listsEncoders = false
  var encoder: EncoderID?
  var isSequence = false
  var frameRate: FrameRate?
  var matrix: CodePoint?
  var isHEVC = false
  var inputs: [String] = []

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands(
      "FILE", &inputs, required: false, "a JPEG, PNG, Y4M or HEIC; the last may name the output")
    try v.option("quality", short: "q", "N", &quality, "quality, 0 to 100")
    try v.flag("lossless", short: "L", &lossless, "code samples without loss")
    try v.option(
      "thumb", short: "t", "N", &thumbnail, "embed a small picture with this longer side")
    try v.flag("no-alpha", &hasNoAlpha, "leave alpha out")
    try v.flag(
      "no-thumb-alpha", &hasNoThumbnailAlpha, "leave it out of small pictures, where it never is")
    try v.option("output", short: "o", "OUT", &output, completion: .files, "the HEIC to write")
    try v.option(
      "", short: "p", "NAME=VALUE", &parameters,
      "of the encoder: quality, lossless, preset, chroma, or tune=ssim")
    try v.flag("params", short: "P", &showsParameters, "list what -p takes")
    try v.option(
      "bit-depth", short: "b", "BITS", &bitDepth,
      "bits of a sample where the source has more than 8")
    try v.flag("list-encoders", &listsEncoders, "list the encoders")
    try v.option("encoder", short: "e", "ID", &encoder, "the encoder, by its ID in --list-encoders")
    try v.flag("sequence", short: "S", &isSequence, "code the pictures as an image sequence")
    try v.option("fps", "RATE", &frameRate, "pictures a second of a sequence, 30 without it")
    try v.option(
      "matrix_coefficients", "N", &matrix,
      "6, which is written for 4:2:0; 0 with --lossless, which codes what it is given")
    try v.flag("hevc", &isHEVC, "code as HEVC, which is done in any case")
  }

  func run(_ console: Console) throws {
    if listsEncoders { return try console.write(EncoderID.list) }
    if showsParameters { return try console.write(EncoderParameter.list) }
    let (inputs, path) = try files()
    let options = try options()
    let files = InputFiles()
    for input in inputs { files.add(input) }
    try files.refuse(path)
    let destination = try ImageDestination(
      path, count: inputs.count, options: options, group: isSequence ? .sequence : nil,
      frameRate: isSequence ? frameRate ?? FrameRate(30, 1) : nil,
      onExists: .replace)
    for input in inputs {
      for warning in try destination.add(input).warnings { console.warn("\(input): \(warning)") }
    }
    _ = try destination.finalize()
  }

  /// Returns the files to read, and the file to write.
  private func files() throws(UsageError) -> (inputs: [String], output: String) {
    var inputs = inputs
    var output = output
    if output == nil, inputs.count > 1, let last = inputs.last,
      OutputFormat(extensionOf: last) == .heic
    {
      output = inputs.removeLast()
    }
    guard let first = inputs.first else { throw UsageError("FILE is missing") }
    let path = output ?? ConvertedNames.usual(for: first, ending: "heic")
    let ending = path.pathExtension.lowercased()
    guard !["avif", "avci", "vvic", "hif2", "j2k", "jp2"].contains(ending) else {
      throw UsageError("\(path): \(ending) is not written here, heic is")
    }
    return (inputs, path)
  }

  private func options() throws(UsageError) -> ConvertOptions {
    var options = ConvertOptions()
    options.format = .heic
    options.quality = quality.value
    options.heic.isLossless = lossless
    options.heic.thumbnailSides = thumbnail.map { [$0.count] } ?? []
    options.heic.dropsAlpha = hasNoAlpha
    options.heic.encoder = encoder?.choice ?? .auto
    if bitDepth == .eight { options.heic.bitDepth = 8 }
    for parameter in parameters { parameter.apply(to: &options) }
    if let matrix, !(matrix.number == 6 || matrix.number == 0 && options.heic.isLossless) {
      throw UsageError(
        "--matrix_coefficients \(matrix.number): the output has the colour of its source; 0 goes with --lossless"
      )
    }
    guard options.heic.encoder != .own || !options.heic.isLossless else {
      throw UsageError("the encoder apus does not code without loss; x265 does")
    }
    guard options.heic.encoder != .own || options.chroma == .auto || options.chroma == .yuv420
    else {
      throw UsageError("the encoder apus codes 4:2:0 and grey alone; x265 takes it")
    }
    guard frameRate == nil || isSequence else { throw UsageError("--fps goes with --sequence") }
    return options
  }
}
