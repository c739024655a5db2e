// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// `apus extract`: extracts the parts of a photo other than its picture.
struct Extract: PhotoVerb {
  static let name = "extract"
  static let summary =
    "extract depth, mattes, motion videos and metadata from photos"
  static let discussion = """
    Extracts what a photo holds in addition to its picture: a thumbnail, alpha, a depth map, a gain map, \
    mattes of people and of their hair, the other view of a stereo pair, a short video, Exif, XMP and an ICC \
    profile. --list shows what a photo holds. Outputs go next to the photo or into the folder OUT, and are \
    named after their role: IMG_1.depth.png, IMG_1.gainmap.jpg, IMG_1.matte-hair.png, IMG_1.right.jpg, \
    IMG_1.motion-video.mp4, IMG_1.exif.

    Inputs are HEIC and other HEIF files, and JPEGs with data after the picture. Metadata, videos and embedded \
    JPEGs are copied byte for byte. For videos, --track copies a track to a file without re-encoding it, and \
    --frames writes each frame of an image sequence or a short video as a picture.

    Depth maps, alpha and mattes become grey PNGs with 8 bits if the file has 8, otherwise 16. \
    IMG_1.depth.json next to a depth map has the meaning of its samples: range, unit, camera. --depth-as \
    converts between depth and disparity, with 16 bits.

    --raw extracts items as they are stored: HEVC as a bare stream (Annex B) with its parameter sets, and the \
    configuration record (.hvcc) next to it.

    Depth maps in the XMP of a JPEG (GDepth), and the picture they were made from (GImage), are extracted too. \
    A depth map that is already a PNG is copied.
    """
  static let examples = [
    Example("apus extract IMG_1.HEIC --list", "Lists the parts of a photo."),
    Example("apus extract IMG_1.HEIC --role all", "Extracts all parts."),
    Example(
      "apus extract IMG_1.HEIC --role depth --depth-as depth",
      "Writes distances in metres, converted from disparity."),
    Example(
      "apus extract -r photos --role motion-video -o videos/",
      "Extracts the videos of motion photos."),
    Example(
      "apus extract IMG_1.HEIC --role exif -o - | exiftool -", "Pipes Exif to another program."),
    Example("apus extract IMG_1.HEIC --item 12 --raw", "Extracts one item as it is stored."),
    Example("apus extract clip.mov --track 2", "Copies one track to a separate file."),
  ]

  var inputs = InputOptions()
  var list = false
  var roles: [ExtractedRole] = []
  var items: [UInt] = []
  var tracks: [UInt] = []
  var frames = false
  var raw = false
  var depthAs: DepthForm?
  var output = OutputOptions()
  var name = OutputName.standard
  var format: PartFormat = .jpeg
  var quality = Quality()
  var srgb = false
  var decoder = DecoderChoice.auto
  var isolate = false
  var batch = BatchOptions()
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    v.heading = "What to extract"
    try v.flag("list", short: "l", &list, "list the parts, extract nothing")
    try v.option("role", "ROLE", &roles, "extract parts with this role")
    try v.option("item", "ID", &items, "extract the item with this ID")
    try v.option("track", "ID", &tracks, "extract the track with this ID to a separate file")
    try v.flag("frames", &frames, "extract every frame of the image sequence or video")
    try v.flag("raw", &raw, "extract items as stored, without decoding")
    try v.option("depth-as", "FORM", &depthAs, "convert depth maps to this form")
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "template for output names, as for convert")
    v.heading = PictureOptions.heading
    try v.option("format", "FORMAT", &format, "output format of pictures and gain maps")
    try v.option("quality", short: "q", "N", &quality, "JPEG quality, 1 to 100")
    try v.flag("srgb", &srgb, "convert colours to sRGB instead of keeping their profile")
    try v.option("decoder", "LIBRARY", &decoder, "HEVC decoder")
    try v.flag(
      "isolate", &isolate,
      """
      read and decode in isolated processes
      They have no network access, and a crash fails only one photo
      """)
    try v.group(&batch)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try inputs.check()
    if list || output.dryRun { return try PartListing(self).print(on: console) }
    let settings = try settings()
    guard tracks.isEmpty else {
      guard !isolate else { throw UsageError("--isolate is for photos; --track decodes nothing") }
      return try TrackExtraction(self, settings).run(console)
    }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }

  /// The settings of the options.
  func settings() throws -> ConvertSettings {
    let place = try BatchTarget.Place(
      output, inputs, isJSON: batch.json, writesNothing: false)
    var options = ConvertOptions()
    options.hdr = .drop
    options.job = .parts(try choice())
    options.format = format.output
    options.quality = quality.value
    options.convertsToSRGB = srgb
    options.decoder = decoder
    var settings = try ConvertSettings(
      options, inputs: inputs, output: output, run: batch, limits: limits,
      place: place, name: name)
    settings.isIsolated = isolate
    settings.batch.kinds = .heifAndJPEG
    settings.words = RunWords(
      done: "extracted", nothing: "no photos found",
      mayBeEmpty: true)
    return settings
  }

  private func choice() throws(UsageError) -> PartChoice {
    var choice = PartChoice()
    choice.roles = roles.reduce(into: []) { $0.formUnion($1.roles) }
    for item in items {
      guard let id = UInt32(exactly: item) else {
        throw UsageError("--item \(item) is above the highest ID, 4294967295")
      }
      choice.items.append(id)
    }
    choice.takesFrames = frames
    choice.isRaw = raw
    choice.depthForm = depthAs
    let isPhoto = !choice.roles.isEmpty || !items.isEmpty || frames
    guard isPhoto || !tracks.isEmpty else {
      throw UsageError(
        "say what to extract: --role, --item, --track or --frames; or use --list")
    }
    guard !isPhoto || tracks.isEmpty else {
      throw UsageError(
        "--track is for movies and --role, --item and --frames for photos; choose one")
    }
    return choice
  }
}

/// A value of `--role`.
enum ExtractedRole: Hashable, ArgumentValue {
  case one(PartRole)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let role = PartRole(rawValue: argument) {
      self = .one(role)
    } else {
      return nil
    }
  }

  static var choices: [String] { PartRole.allCases.map(\.rawValue) + ["all"] }
  static var expected: String { "one of \(choices.joined(separator: ", "))" }

  var argument: String {
    switch self {
    case .one(let role): role.rawValue
    case .all: "all"
    }
  }

  var roles: Set<PartRole> {
    switch self {
    case .one(let role): [role]
    case .all: Set(PartRole.allCases)
    }
  }
}

/// The output format of pictures.
enum PartFormat: String, CaseIterable, ArgumentValue {
  case jpeg, png

  var output: OutputFormat { self == .jpeg ? .jpeg : .png }
}

extension DepthForm: ArgumentValue {}
