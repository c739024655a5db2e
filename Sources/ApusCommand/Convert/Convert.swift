// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// `apus convert`: photos become JPEGs, PNGs or HEICs, one or many thousands.
struct Convert: PhotoVerb {
  static let name = "convert"
  static let summary = "convert HEIC photos to JPEG, PNG or WebP, and images to HEIC"
  static let discussion = """
    Without -o, each output goes next to its photo: IMG_1.HEIC becomes IMG_1.jpg. It is upright and keeps the \
    photo's colours (with their profile), Exif, XMP, IPTC and date. Outputs appear only when they are \
    complete, and existing files are kept unless --on-exists says otherwise.

    A broken or incomplete photo fails with a message that names the tile and the bytes, and has no output; \
    the other photos are converted. With --images all, the outputs of pictures before the broken one are kept. \
    --salvage writes whatever can be decoded.

    With -r, folders are searched for .heic, .heif, .hif, .avci and .heics files, and for HEIC and AVIF files \
    named .jpg or .png. Links to folders are followed. If OUT is a folder, it gets the same subfolders. A file \
    whose name differs from an output's only in case counts as an existing output. Apus expands quoted \
    patterns ('*.heic') itself.

    --name is a template with the fields {dir} (output folder; put first if the template does not contain it), \
    {stem}, {ext}, {parent} (name of the photo's folder), {date} or {date:%Y/%m} (local time the photo was \
    taken, from Exif; otherwise the file's time), {camera} (model, or "unknown"), and {n} or {n:4} (number in \
    the run, here with four digits). It must contain {stem} or {n}. A photo fails if its output name is \
    already used by another.

    HDR photos stay HDR; a JPEG also displays normally in viewers without HDR (--hdr).

    If OUT ends with .heic, or with --format heic, JPEG, PNG, PPM, PGM, Y4M and HEIC files are accepted; -r \
    finds all of these except HEIC. A HEIC is copied with its coded pictures unless an option such as -q or \
    --crop requires new ones; --strip, --rotate and --flip do not. A JPEG is encoded from its own planes. Pictures larger than 512 samples \
    become a grid of tiles, as phones write it. Orientation is recorded, not applied. Metadata is kept, and so \
    are the gain map of an HDR photo or an Ultra HDR JPEG (--gain-map, --hdr), depth and mattes. --group \
    writes all inputs to one file.

    A Live Photo is a picture and a video with the same content identifier. --live keep copies the video next \
    to the output, byte for byte; --live motion-photo appends it to the picture, after any gain map, as in \
    Google's motion photos; --live drop leaves it out. If either file has no identifier, a video of at most \
    ten seconds with the same name as the picture is used, and the report says so. The video in a HEIC motion \
    photo (mpvd) is treated the same way. If it is truncated, it is not written and the photo counts as \
    failed, unless --salvage is given.

    --remove-source removes a photo after its output was written and decoded again, and only if the outputs \
    contain everything in the file: other pictures, alpha, depth, mattes, gain map, motion video, tracks, \
    their metadata, a Samsung trailer, and whatever else is found. The contents of an output are read from its \
    file. The photo is kept, and the reason reported, if there was any warning, if an output already existed, \
    or if its path contains a symbolic link. --images all, --live keep and --hdr keep make more photos \
    removable. --remove-source=anyway also removes photos that hold more or had warnings, and reports what is \
    lost. Changes that you asked for are not losses: a JPEG is re-encoded at 8 bits, and --strip removes \
    metadata. Thumbnails do not count. With --on-exists replace, an existing output whose time differs from \
    the photo's is kept, because it may belong to another photo that was removed. Apus never removes the video \
    next to a photo, nor a photo that was skipped, salvaged or failed. --dry-run reports all this beforehand; with -v it also \
    shows what would be decoded and how it would be assembled.

    --journal records finished files, so that an interrupted run resumes where it stopped; photos that failed, \
    or whose output is missing, are converted again. A run with other options needs another journal. The first \
    Ctrl-C stops the run and removes incomplete outputs, with exit status 130; the second ends it at once. \
    Several photos are converted in a separate process: if one makes it crash, only that photo fails.
    """
  static let examples = [
    Example("apus convert IMG_1.HEIC", "Writes IMG_1.jpg to the same folder."),
    Example(
      "apus convert IMG_1.HEIC -o photo.png", "Writes a PNG, with alpha if the photo has it."),
    Example(
      "apus convert -r photos -o jpegs/", "Converts all photos in a folder and its subfolders."),
    Example(
      "apus convert -r photos -o jpegs/ --name {dir}/{date:%Y/%m}/{stem}.{ext} --mtime exif",
      "Sorts the JPEGs into folders by year and month, with file times from Exif."),
    Example(
      "apus convert -r photos --journal photos.journal --verify",
      "Converts a library; run it again to resume after an interruption."),
    Example(
      "apus convert -r photos --remove-source --strip gps -q 95",
      "Replaces photos with verified JPEGs without GPS coordinates."),
    Example(
      "apus convert -r photos --remove-source --dry-run",
      "Lists what would be written, and which photos would be removed or kept, and why."),
    Example(
      "apus convert --files-from names.txt -o jpegs/ --json",
      "Converts the photos in a list and prints a line of JSON for each."),
    Example("apus convert photo.jpg -o photo.heic -q 60", "Encodes a HEIC at quality 60."),
    Example(
      "apus convert ultrahdr.jpg -o photo.heic --gain-map apple",
      "Writes a HEIC that is also HDR on Apple devices before iOS 18."),
    Example(
      "apus convert -r frames -o waves.heics --group sequence --fps 25",
      "Writes the images in a folder as an image sequence."),
    Example(
      "apus convert -r photos -o jpegs/ --live motion-photo",
      "Turns Live Photos into motion photos, for Android phones."),
    Example(
      "apus convert --dry-run -v IMG_1.HEIC",
      "Shows what would be decoded and how it would be assembled."),
    Example("apus convert - -o - < IMG_1.HEIC > IMG_1.jpg", "Converts in a pipe."),
  ]

  var inputs = InputOptions()
  var output = OutputOptions()
  var name = OutputName.standard
  var time = OutputTime.keep
  var picture = PictureOptions()
  var heic = HEICOptions()
  var images = ImageChoice.primary
  var frame: UInt?
  var item: UInt?
  var decoder = DecoderChoice.auto
  var salvage = false
  var isolate = false
  var live: LiveChoice?
  var verify = false
  var removeSource: RemovalChoice?
  var batch = BatchOptions()
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&output)
    try nameArguments(&v)
    try v.group(&picture)
    try v.group(&heic)
    try decodingArguments(&v)
    try checkArguments(&v)
    try v.group(&batch)
    try v.group(&limits)
  }

  /// Declares the options for the names and times of outputs.
  private mutating func nameArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "template for output names")
    try v.option(
      "mtime", "WHAT", &time,
      """
      modification time of outputs
      Keep copies the time of the photo's file, exif uses the time the photo was taken (the file's \
      if Exif has none), and now is the current time
      """
    )
  }

  private mutating func decodingArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = "Decoding"
    try v.option(
      "images", "WHICH", &images,
      """
      which pictures of each file to write
      Further pictures are named photo.2.jpg, photo.3.jpg
      """)
    try v.option(
      "live", "WHAT", &live,
      """
      what to do with a Live Photo's video
      Keep copies it next to the output, motion-photo appends it to the JPEG as in Google's motion \
      photos, and drop leaves it out. Without this option, Apus does not look for videos
      """
    )
    try v.option("frame", "N", &frame, "write this frame of an image sequence, counted from 0")
    try v.option(
      "item", "ID", &item, excludes: ["frame"],
      """
      write the picture of this item
      It may be a thumbnail, a depth map or a tile; inspect prints the IDs
      """)
    try v.option(
      "decoder", "LIBRARY", &decoder,
      """
      HEVC decoder
      Auto uses intra, the built-in decoder, and libavcodec for what intra does not support
      """)
    try v.flag("salvage", &salvage, "write what can be decoded of a broken photo; exit status 1")
    try v.flag(
      "isolate", &isolate,
      """
      decode in isolated processes
      They have no network access, and a crash fails only one photo
      """)
  }

  /// Declares the options for checking outputs and for removing photos after that.
  private mutating func checkArguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    v.heading = BatchOptions.heading
    try v.flag("verify", &verify, "decode each output to check it before it gets its name")
    try v.flag(
      "remove-source", "WHAT", &removeSource, bare: .whole,
      """
      remove photos with verified outputs
      Whole removes a photo only if the outputs contain everything in it; anyway also removes the \
      others
      """
    )
  }

  func settings() throws -> ConvertSettings { try ConvertSettings(self) }

  func run(_ console: Console) throws -> ExitStatus {
    let settings = try settings()
    try inputs.check()
    if let group = heic.group {
      return try ConvertGroup(settings, group, frameRate: heic.frameRate).run(console)
    }
    if output.dryRun { return try ConvertDryRun(settings).print(on: console) }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }
}

/// The choice of pictures in a file.
enum ImageChoice: String, CaseIterable, ArgumentValue {
  case primary, all
}

extension LiveChoice: ArgumentValue {}
extension DecoderChoice: ArgumentValue {}
extension RemovalChoice: ArgumentValue {}
