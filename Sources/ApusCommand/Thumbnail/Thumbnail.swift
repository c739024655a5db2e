// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// `apus thumbnail`: makes thumbnails of one or many photos.
struct Thumbnail: PhotoVerb {
  static let name = "thumbnail"
  static let summary =
    "make thumbnails, from embedded ones where possible"
  static let discussion = """
    Makes upright thumbnails with the proportions of the photo. --size bounds the longer side; a thumbnail is \
    never larger than its source. It keeps the photo's colours (with their profile) and no other metadata.

    Most phones and cameras embed a thumbnail in their photos. --policy if-absent uses it if it is at least \
    --size and has the photo's proportions, and decodes the photo otherwise; always decodes the photo; \
    embedded uses the embedded thumbnail whatever its size, and fails if there is none. If an embedded \
    thumbnail is used, nothing else is decoded.

    Inputs are HEIC and other HEIF files, JPEGs, and videos, of which the first frame is used. -r searches \
    folders for photos. Without -o, IMG_1.thumbnail.jpg is written next to IMG_1.HEIC; in a folder OUT the \
    name is IMG_1.jpg.
    """
  static let examples = [
    Example("apus thumbnail IMG_1.HEIC", "Writes IMG_1.thumbnail.jpg to the same folder."),
    Example(
      "apus thumbnail -r photos -s 512 -o small/", "Makes thumbnails of all photos in a folder."),
    Example(
      "apus thumbnail IMG_1.HEIC -s 1024 -o - > small.jpg",
      "Makes a larger one; most photos have to be decoded for this size."),
    Example(
      "apus thumbnail -r photos --policy embedded -o small/",
      "Extracts the embedded thumbnails without decoding the photos."),
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
    try v.option("name", "TEMPLATE", &name, "template for output names, as for convert")
    v.heading = PictureOptions.heading
    try v.option(
      "size", short: "s", "SIZE", &size,
      "longest side in pixels, or WxH")
    try v.option(
      "crop", "W:H", &crop,
      """
      crop to the aspect ratio W:H, or to WxH+X+Y
      An aspect ratio keeps as much of the centre as possible
      """)
    try v.option(
      "policy", "WHAT", &policy,
      """
      use of embedded thumbnails
      If-absent makes a new thumbnail only if no embedded one is large enough; always makes a new \
      one; embedded never does
      """)
    try v.option(
      "format", "FORMAT", &format,
      """
      output format; by default from the extension of OUT
      Without OUT it is JPEG
      """)
    try v.option("quality", short: "q", "N", &quality, "JPEG quality, 1 to 100")
    try v.option(
      "background", "#RRGGBB", &background,
      "background colour if the output has no alpha")
    try v.flag("srgb", &srgb, "convert colours to sRGB instead of keeping their profile")
    try v.option("decoder", "LIBRARY", &decoder, "HEVC decoder")
    try v.flag(
      "thumb-facts", &describesSource,
      """
      add Thumb::URI, Thumb::MTime and Thumb::Size to a PNG
      Desktop file managers look for these
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
      throw UsageError("--crop with a position needs the full photo; use --policy always")
    }
    let place = try BatchTarget.Place(
      output, inputs, isJSON: batch.json, writesNothing: output.dryRun)
    var options = ConvertOptions()
    options.job = .thumbnail(policy)
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
        "--thumb-facts needs --format png, not \(options.format.rawValue)")
    }
    settings.batch.describesSource = describesSource
    settings.batch.kinds = .heifAndJPEG
    settings.words = RunWords(
      done: "made", nothing: "no photos found")
    return settings
  }
}

extension ThumbnailPolicy: ArgumentValue {}
