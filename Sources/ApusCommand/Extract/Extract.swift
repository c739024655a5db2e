// SPDX-License-Identifier: MIT

import Files
import Stills

/// `apus extract`: everything that a photo holds beside its picture.
struct Extract: PhotoVerb {
  static let name = "extract"
  static let summary =
    "extract what photos hold besides the picture: depth, mattes, motion, metadata"
  static let discussion = """
    Phones put more into a photo than a viewer shows: a thumbnail, alpha, a depth map, a gain map, mattes of people \
    and of their hair, the other eye of a stereo pair, a short video, Exif, XMP and an ICC profile. --list says what \
    is there. Outputs go beside the photo, or into the folder OUT, and are named by what they are: \
    IMG_1.depth.png, IMG_1.gainmap.jpg, IMG_1.matte-hair.png, IMG_1.right.jpg, IMG_1.motion-video.mp4, IMG_1.exif.

    HEIC and other HEIF files, and JPEGs with what follows their picture, are read; of videos --track takes a \
    track into a file of its own, not coded anew, and --frames each frame of an image sequence or a short video as \
    a picture. Metadata, videos and what is a JPEG already come out byte for byte.

    Depth maps, alpha and mattes are numbers and become grey PNGs, of 8 bits where the file has 8, otherwise of 16. \
    Beside a depth map IMG_1.depth.json says what they stand for: least and greatest sample, unit, camera. \
    --depth-as turns distances into their inverses or back, with 16 bits.

    --raw takes items as they are coded: HEVC as a bare stream (Annex B) with its parameter sets, and the \
    configuration record (.hvcc) beside it.

    Depth maps in the XMP of a JPEG (GDepth), and the picture that it was made from (GImage), are found too. A map \
    that is a PNG already comes out as it is.
    """
  static let examples = [
    Example("apus extract IMG_1.HEIC --list", "Says what is there."),
    Example("apus extract IMG_1.HEIC --role all", "Takes out everything."),
    Example(
      "apus extract IMG_1.HEIC --role depth --depth-as depth",
      "Writes the distances in metres, from a map of disparity."),
    Example("apus extract -r photos --role motion-video -o videos/", "Takes the videos out."),
    Example("apus extract IMG_1.HEIC --role exif -o - | exiftool -", "Hands Exif to a program."),
    Example("apus extract IMG_1.HEIC --item 12 --raw", "Takes an item as it is coded."),
    Example("apus extract clip.mov --track 2", "Takes a track into a movie of its own."),
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
    v.heading = "What to take out"
    try v.flag("list", short: "l", &list, "say what is there, take nothing")
    try v.option("role", "ROLE", &roles, "extract parts by purpose")
    try v.option("item", "ID", &items, "an item by its ID, whatever it is for")
    try v.option("track", "ID", &tracks, "a track by its ID, as a movie of its own")
    try v.flag("frames", &frames, "every frame of the image sequence or video")
    try v.flag("raw", &raw, "items as they are coded, not as pictures")
    try v.option("depth-as", "FORM", &depthAs, "what depth maps are turned into")
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "how outputs are called, as for convert")
    v.heading = PictureOptions.heading
    try v.option("format", "FORMAT", &format, "what pictures and gain maps are written as")
    try v.option("quality", short: "q", "N", &quality, "quality of a JPEG, 1 to 100")
    try v.flag("srgb", &srgb, "convert colours to sRGB; otherwise they keep their profile")
    try v.option("decoder", "LIBRARY", &decoder, "the decoder of HEVC")
    try v.flag(
      "isolate", &isolate,
      """
      read and decode in isolated processes
      They have no network, and a crash of one costs one photo
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

  /// What the options come to.
  func settings() throws -> ConvertSettings {
    let place = try BatchTarget.Place(
      output, inputs, isJSON: batch.json, writesNothing: false)
    var options = ConvertOptions()
    options.hdr = .drop
    options.parts = try choice()
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
      done: "extracted", nothing: "no photo was found to extract from",
      mayBeEmpty: true)
    return settings
  }

  private func choice() throws(UsageError) -> PartChoice {
    var choice = PartChoice()
    choice.roles = roles.reduce(into: []) { $0.formUnion($1.roles) }
    for item in items {
      guard let id = UInt32(exactly: item) else {
        throw UsageError("--item \(item) is beyond the greatest ID, 4294967295")
      }
      choice.items.append(id)
    }
    choice.takesFrames = frames
    choice.isRaw = raw
    choice.depthForm = depthAs
    let isPhoto = !choice.roles.isEmpty || !items.isEmpty || frames
    guard isPhoto || !tracks.isEmpty else {
      throw UsageError(
        "what to take out is missing: --role, --item, --track or --frames; or --list")
    }
    guard !isPhoto || tracks.isEmpty else {
      throw UsageError("--track takes movies apart, --role, --item and --frames photos; choose one")
    }
    return choice
  }
}

/// What `--role` takes.
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

/// What pictures are written as.
enum PartFormat: String, CaseIterable, ArgumentValue {
  case jpeg, png

  var output: OutputFormat { self == .jpeg ? .jpeg : .png }
}

extension DepthForm: ArgumentValue {}
