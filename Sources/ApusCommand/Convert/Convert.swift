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
    at all, and one that is there already stays unless --on-exists says otherwise.

    A photo that is broken or of which part is missing fails, with the tile and the bytes, and has no output; \
    the others go on. --salvage writes what there is.

    With -r folders are searched for .heic, .heif, .hif, .avci and .heics, and an OUT that is a folder gets the \
    same folders. A quoted pattern ('*.heic') is expanded here. --name says how outputs are called, by the fields \
    {dir} (the folder of the outputs, which comes first where the template does not name it), {stem}, {ext}, {parent} \
    (the name of the folder of the photo), {date} or {date:%Y/%m} (when Exif says that it was taken, on the clock of the \
    camera; the time of its file where Exif is silent), {camera} (its model, or unknown) and {n} or {n:4} (its number in \
    the run, with four digits); {stem} or {n} must be there, and a photo whose name another has already fails. What is HDR stays HDR in a JPEG that others see as before (--hdr).

    An OUT that ends with .heic, or --format heic, takes JPEG, PNG, PPM, PGM, Y4M and HEIC files, and -r finds all of \
    these but HEIC. A JPEG goes in as the planes that it holds. What is larger than 512 samples becomes a grid of \
    tiles, as phones write it. Orientation is said, not applied, and metadata is kept. So are the gain map of an HDR \
    photo or an Ultra HDR JPEG (--gain-map, --hdr), depth and mattes. --group puts all inputs into one file.

    A Live Photo is a picture and a video beside it, which carry the same content identifier. --live keep copies the \
    video beside the output, byte for byte; --live motion-photo puts it behind the picture, as Google's motion photos \
    have it, a gain map between them; --live drop leaves it. Where one of the two carries no identifier, a video of at \
    most ten seconds that is called like the picture is taken for its own, which is a guess and told as one. The video \
    in a motion photo of the HEIC form (mpvd) is treated alike; one that is cut short is not written, and its photo \
    counts as failed, unless --salvage asks for what there is.

    --remove-source removes a photo once its output was written and decoded again, and only if everything that its \
    file holds is in the outputs: other pictures, alpha, depth, mattes, gain map, motion video, tracks, their metadata, a \
    Samsung trailer, and whatever else is found. It stays, with the reason, if anything was warned of, if an output was \
    there before, and if its path goes through a symbolic link. --images all, --live keep and --hdr keep make more \
    photos removable; --remove-source=anyway removes those that hold more or were warned of, and says what is lost. What \
    was asked for is no loss: a JPEG is coded anew and has 8 bits, --strip takes metadata out. Thumbnails do not count. \
    A video beside a photo stays, and so does a photo that was skipped, salvaged or failed, whatever was typed. \
    --dry-run says all that beforehand.

    --journal notes what is finished, so that a long run that was cut short goes on where it was: photos \
    that failed are tried again. The first Ctrl-C ends the run in order, outputs that are not whole vanish, and \
    the exit status is 130; the second ends it at once. Several photos are converted by another process: one that makes \
    apus end by a signal has failed, and the others go on.
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
      "Converts a library, and goes on where it was when started again."),
    Example(
      "apus convert -r photos --remove-source --strip gps -q 95",
      "Puts verified JPEGs without coordinates in the place of photos."),
    Example(
      "apus convert -r photos --remove-source --dry-run",
      "Says what would be written, and which photos would be removed or kept and why."),
    Example(
      "apus convert --files-from names.txt -o jpegs/ --json",
      "Converts the photos in a list, and tells a program about each."),
    Example("apus convert photo.jpg -o photo.heic -q 60", "Writes a HEIC."),
    Example(
      "apus convert ultrahdr.jpg -o photo.heic --gain-map apple",
      "Writes a HEIC that is HDR on Apple's devices before iOS 18, too."),
    Example(
      "apus convert -r frames -o waves.heics --group sequence --fps 25",
      "Writes the pictures of a folder as an image sequence."),
    Example(
      "apus convert -r photos -o jpegs/ --live motion-photo",
      "Makes motion photos of Live Photos, for phones of other makers."),
    Example("apus convert --plan IMG_1.HEIC", "Says what would be decoded and composed."),
    Example("apus convert - -o - < IMG_1.HEIC > IMG_1.jpg", "Stands in a pipe."),
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
    try v.option("name", "TEMPLATE", &name, "how outputs are called")
    try v.flag("plan", &plan, "say what would be decoded and composed, write nothing")
    try v.option(
      "mtime", "WHAT", &time,
      "the modification time of outputs: that of the photo's file, when the photo was taken according to Exif (that of the file if Exif has none), or now"
    )
    v.heading = ""
    try v.group(&picture)
    try v.group(&heic)
    v.heading = "Decoding"
    try v.option(
      "images", "WHICH", &images,
      "the primary picture, or all of them; others are named photo.2.jpg, photo.3.jpg")
    try v.option(
      "live", "WHAT", &live,
      "the video of a Live Photo: copy it beside the output, append it to the JPEG as in Google's motion photos, or leave it out; without this option videos are not looked for"
    )
    try v.option("frame", "N", &frame, "a frame of an image sequence, from 0")
    try v.option(
      "decoder", "LIBRARY", &decoder,
      "the decoder of HEVC; auto is intra, our own, and libavcodec for what intra does not support")
    try v.flag("salvage", &salvage, "write what there is of a broken photo; the exit status is 1")
    try v.flag(
      "isolate", &isolate,
      "decode in processes without network, whose crash costs one photo")
    v.heading = BatchOptions.heading
    try v.flag("verify", &verify, "decode each output again before it gets its name")
    try v.flag(
      "remove-source", "WHAT", &removeSource, bare: .whole,
      "remove each photo once its output was verified: whole removes those of which everything is in the outputs, anyway those that hold more, too"
    )
    v.heading = ""
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
