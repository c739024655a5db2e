// SPDX-License-Identifier: MIT

import Files
import Stills

/// `apus convert`: photos become JPEGs, PNGs or HEICs, one or many thousands.
struct Convert: PhotoVerb {
  static let name = "convert"
  static let summary = "convert HEIC photos to JPEG, PNG or WebP, pictures to HEIC, one or many"
  static let discussion = """
    Without -o each JPEG goes beside its photo: IMG_1.HEIC becomes IMG_1.jpg. It is upright, has the \
    colours of the photo with their profile, its Exif, XMP and IPTC, and its date. Outputs appear whole or not \
    at all, and an existing one is kept unless --on-exists says otherwise.

    A photo that is broken or incomplete fails, with the tile and the bytes named, and has no output; \
    the others are converted. With --images all the outputs of pictures before the broken one stay. --salvage writes \
    what there is.

    With -r folders are searched for .heic, .heif, .hif, .avci and .heics, and for HEIC and AVIF files that are named \
    .jpg or .png; links to folders are followed. An OUT that is a folder gets the same folders. A file whose name \
    differs from that of an output only in case counts as an existing output. A quoted pattern ('*.heic') is expanded here. --name says how outputs are named, with the fields {dir} \
    (the folder of the outputs, which comes first where the template does not name it), {stem}, {ext}, {parent} (the \
    name of the photo's folder), {date} or {date:%Y/%m} (when it was taken according to Exif, by the clock of the \
    camera; the time of its file if Exif does not say), {camera} (its model, or unknown) and {n} or {n:4} (its \
    number in the run, with four digits); {stem} or {n} must be there, and a photo fails if its output name is \
    already taken by another. HDR stays HDR, in a JPEG that other viewers show as usual (--hdr).

    An OUT that ends with .heic, or --format heic, takes JPEG, PNG, PPM, PGM, Y4M and HEIC files, and -r finds all of \
    these but HEIC. A JPEG is encoded from the planes that it holds. What is larger than 512 samples becomes a grid of \
    tiles, as phones write it. Orientation is recorded, not applied, and metadata is kept. So are the gain map of an HDR \
    photo or an Ultra HDR JPEG (--gain-map, --hdr), depth and mattes. --group puts all inputs into one file.

    A Live Photo is a picture and a video beside it, which carry the same content identifier. --live keep copies the \
    video beside the output, byte for byte; --live motion-photo appends it to the picture, as in Google's motion \
    photos, with a gain map between them; --live drop leaves it out. Where one of the two carries no identifier, a \
    video of at most ten seconds with the same name as the picture is taken to belong to it, which is a guess and \
    reported as one. The video in a motion photo of the HEIC form (mpvd) is treated the same way; one that is cut \
    short is not written, and its photo counts as failed, unless --salvage asks for what there is.

    --remove-source removes a photo once its output was written and decoded again, and only if everything that its \
    file holds is in the outputs: other pictures, alpha, depth, mattes, gain map, motion video, tracks, their \
    metadata, a Samsung trailer, and whatever else is found. What an output holds is read from its file. It stays, and the reason is given, if there was any \
    warning, if an output already existed, or if its path goes through a symbolic link. --images all, --live keep \
    and --hdr keep make more photos removable; --remove-source=anyway removes those that hold more or had warnings, \
    and says what is lost. What was asked for is no loss: a JPEG is re-encoded and has 8 bits, --strip leaves \
    metadata out. Thumbnails do not count. With --on-exists replace an output stays whose time is not that of the \
    photo, since it may be of another one that was removed. A video beside a photo stays, and so does a photo that was skipped, \
    salvaged or failed, whatever the options. --dry-run says all this beforehand.

    --journal records what is finished, so that a long run that was interrupted resumes where it stopped; photos \
    that failed, or whose output is gone, are converted again. A run with other options needs another journal. The first Ctrl-C ends the run in an orderly way, incomplete outputs vanish, and the \
    exit status is 130; the second ends it at once. When there are several photos, another process converts them: \
    one that makes it crash has failed, and the others are converted.
    """
  static let examples = [
    Example("apus convert IMG_1.HEIC", "Writes IMG_1.jpg beside it."),
    Example("apus convert IMG_1.HEIC -o photo.png", "Writes a PNG, with alpha where there is one."),
    Example(
      "apus convert -r photos -o jpegs/", "Converts every photo in a folder and its folders."),
    Example(
      "apus convert -r photos -o jpegs/ --name {dir}/{date:%Y/%m}/{stem}.{ext} --mtime exif",
      "Sorts the JPEGs into folders by year and month, dated by their Exif."),
    Example(
      "apus convert -r photos --journal photos.journal --verify",
      "Converts a library, and resumes where it stopped when it is run again."),
    Example(
      "apus convert -r photos --remove-source --strip gps -q 95",
      "Replaces photos with verified JPEGs without coordinates."),
    Example(
      "apus convert -r photos --remove-source --dry-run",
      "Says what would be written, and which photos would be removed or kept and why."),
    Example(
      "apus convert --files-from names.txt -o jpegs/ --json",
      "Converts the photos in a list, and reports each one to a program."),
    Example("apus convert photo.jpg -o photo.heic -q 60", "Writes a HEIC."),
    Example(
      "apus convert ultrahdr.jpg -o photo.heic --gain-map apple",
      "Writes a HEIC that is HDR on Apple's devices before iOS 18, too."),
    Example(
      "apus convert -r frames -o waves.heics --group sequence --fps 25",
      "Writes the pictures of a folder as an image sequence."),
    Example(
      "apus convert -r photos -o jpegs/ --live motion-photo",
      "Turns Live Photos into motion photos, for phones of other makers."),
    Example("apus convert --plan IMG_1.HEIC", "Says what would be decoded and composed."),
    Example("apus convert - -o - < IMG_1.HEIC > IMG_1.jpg", "Works in a pipe."),
  ]

  var inputs = InputOptions()
  var output = OutputOptions()
  var name = OutputName.standard
  var time = OutputTime.keep
  var plan = false
  var picture = PictureOptions()
  var heic = HEICOptions()
  var images = ImageChoice.primary
  var frame: UInt?
  var decoder = DecoderChoice.auto
  var salvage = false
  var isolate = false
  var live: LiveChoice?
  var verify = false
  var removeSource: RemovalChoice?
  var batch = BatchOptions()
  var limits = PhotoLimitOptions()

  var writesNothing: Bool { plan || output.dryRun }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "how outputs are named")
    try v.flag("plan", &plan, "say what would be decoded and composed, write nothing")
    try v.option(
      "mtime", "WHAT", &time,
      """
      modification time of outputs
      Keep takes it from the photo's file, exif from the time when the photo was taken (from the \
      file if Exif has none), and now is the time of writing
      """
    )
    try v.group(&picture)
    try v.group(&heic)
    v.heading = "Decoding"
    try v.option(
      "images", "WHICH", &images,
      """
      which pictures to write
      The others are named photo.2.jpg, photo.3.jpg
      """)
    try v.option(
      "live", "WHAT", &live,
      """
      what to do with a Live Photo's video
      Keep copies it next to the output, motion-photo appends it to the JPEG as in Google's motion \
      photos, drop leaves it out. Without this option videos are not looked for
      """
    )
    try v.option("frame", "N", &frame, "a frame of an image sequence, from 0")
    try v.option(
      "decoder", "LIBRARY", &decoder,
      """
      HEVC decoder
      Auto is intra, the built-in decoder, and libavcodec for what intra does not support
      """)
    try v.flag("salvage", &salvage, "write what there is of a broken photo; the exit status is 1")
    try v.flag(
      "isolate", &isolate,
      """
      decode in isolated processes
      They have no network, and a crash of one costs one photo
      """)
    v.heading = BatchOptions.heading
    try v.flag("verify", &verify, "decode each output again before it gets its name")
    try v.flag(
      "remove-source", "WHAT", &removeSource, bare: .whole,
      """
      remove photos whose output is verified
      Whole removes a photo only if everything in it is in the outputs; anyway also removes those \
      that hold more
      """
    )
    try v.group(&batch)
    try v.group(&limits)
  }

  func settings() throws -> ConvertSettings { try ConvertSettings(self) }

  func run(_ console: Console) throws -> ExitStatus {
    let settings = try settings()
    try inputs.check()
    if let group = heic.group {
      return try ConvertGroup(settings, group, frameRate: heic.frameRate).run(console)
    }
    if plan { return try ConvertPlan(settings).print(on: console) }
    if output.dryRun { return try ConvertDryRun(settings).print(on: console) }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }
}

extension ImageChoice: ArgumentValue {}
extension LiveChoice: ArgumentValue {}
extension DecoderChoice: ArgumentValue {}
extension RemovalChoice: ArgumentValue {}
