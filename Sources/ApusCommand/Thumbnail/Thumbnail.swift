// SPDX-License-Identifier: MIT

import Files
import Stills

/// `apus thumbnail`: small pictures of photos, one or many thousands.
struct Thumbnail: PhotoVerb {
  static let name = "thumbnail"
  static let summary =
    "make small pictures of photos, from their own thumbnails where they have them"
  static let discussion = """
    A small picture is upright, has the proportions of the photo, and is never larger than what it is made from: \
    --size bounds its longer side. It has the colours of the photo with their profile, and no other metadata.

    Phones and cameras put a thumbnail into their photos. --policy if-absent takes that where it is at least as large \
    as --size asks for and its sides are in the proportion of the photo, and otherwise decodes the photo; always \
    decodes the photo; embedded takes the thumbnail, however small it is, and fails where there is none. From a \
    thumbnail nothing else is decoded.

    HEIC and other HEIF files, JPEGs, and videos (of which the first frame is taken) are read. With -r folders are \
    searched for photos. Without -o IMG_1.thumbnail.jpg goes beside IMG_1.HEIC; in a folder OUT it is IMG_1.jpg.
    """
  static let examples = [
    Example("apus thumbnail IMG_1.HEIC", "Writes IMG_1.thumbnail.jpg beside it."),
    Example("apus thumbnail -r photos -s 512 -o small/", "Makes one of every photo in a folder."),
    Example(
      "apus thumbnail IMG_1.HEIC -s 1024 -o - > small.jpg",
      "Makes a larger one, which most photos are decoded for."),
    Example(
      "apus thumbnail -r photos --policy embedded -o small/",
      "Takes out the thumbnails that the photos hold, decoding nothing else."),
  ]

  var inputs = InputOptions()
  var output = OutputOptions()
  var name: String?
  var size = LargestSize(320)
  var crop: PictureCrop?
  var policy = ThumbnailPolicy.ifAbsent
  var format: OutputFormat?
  var quality = Quality()
  var background = HexColour()
  var srgb = false
  var decoder = DecoderChoice.auto
  var describesSource = false
  var batch = BatchOptions()
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "how outputs are called, as for convert")
    v.heading = PictureOptions.heading
    try v.option(
      "size", short: "s", "SIZE", &size,
      "longest side in pixels, or WxH")
    try v.option(
      "crop", "W:H", &crop,
      """
      crop to the proportions W:H, or to the part WxH+X+Y
      Proportions keep as much of the middle as possible
      """)
    try v.option(
      "policy", "WHAT", &policy,
      """
      use of embedded thumbnails
      If-absent makes a new one only where the photo holds none that is large enough; always makes \
      one; embedded never does
      """)
    try v.option(
      "format", "FORMAT", &format,
      """
      output format; otherwise from OUT
      Without OUT it is JPEG
      """)
    try v.option("quality", short: "q", "N", &quality, "quality of a JPEG, 1 to 100")
    try v.option(
      "background", "#RRGGBB", &background, "what shows through where the output has no alpha")
    try v.flag("srgb", &srgb, "convert colours to sRGB; otherwise they keep their profile")
    try v.option("decoder", "LIBRARY", &decoder, "the decoder of HEVC")
    try v.flag(
      "thumb-facts", &describesSource,
      """
      add Thumb::URI, Thumb::MTime and Thumb::Size to a PNG
      Desktops look for these
      """
    )
    try v.group(&batch)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try inputs.check()
    let settings = try settings()
    if output.dryRun { return try ConvertDryRun(settings).print(on: console) }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }

  func settings() throws -> ConvertSettings {
    if case .area? = crop, policy != .always {
      throw UsageError("--crop with a place is a part of the photo itself: --policy always")
    }
    let place = try BatchTarget.Place(
      output, inputs, isJSON: batch.json, writesNothing: output.dryRun)
    var options = ConvertOptions()
    options.thumbnail = policy
    options.bounds = size.bounds
    options.crop = crop
    options.format = try ConvertSettings.format(format, place)
    options.quality = quality.value
    options.background = background.samples
    options.convertsToSRGB = srgb
    options.decoder = decoder
    options.hdr = .drop
    let standard = place == .beside ? "{dir}/{stem}.thumbnail.{ext}" : OutputName.standard
    var settings = try ConvertSettings(
      options, inputs: inputs, output: output, run: batch, limits: limits,
      place: place, name: name ?? standard)
    guard !describesSource || options.format == .png else {
      throw UsageError(
        "--thumb-facts goes into a PNG: --format png, not \(options.format.rawValue)")
    }
    settings.batch.describesSource = describesSource
    settings.batch.kinds = .heifAndJPEG
    settings.words = RunWords(
      done: "made", nothing: "there was no photo to make a small picture of")
    return settings
  }
}

extension ThumbnailPolicy: ArgumentValue {}
