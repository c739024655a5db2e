// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusMedia
import ApusStills

/// `apus pair`: makes a Live Photo from a picture and a video.
struct Pair: Verb {
  static let name = "pair"
  static let summary = "make Live Photos from pictures and videos, and from motion photos"
  static let discussion = """
    A Live Photo is a picture (HEIC or JPEG) and a video (MOV) with the same content identifier, stored in \
    Apple's maker note and in the video's metadata. The video also has a track with the time at which the \
    picture was taken. Apple's Photos shows the two as one when they are imported together.

    The video is the one named by --video, the one inside a motion photo, or the one next to the picture with \
    the same identifier or name. Nothing is re-encoded: the picture stays byte for byte except for the \
    identifier, a motion photo keeps its video, and an MP4 video is remuxed to MOV with all its tracks.

    An identifier in either file is kept and written to the other; if the two differ, the pair is refused. \
    Otherwise the identifier is derived from the bytes of both files, so that the same pair always gets the \
    same one. The time of the picture comes from the video or the motion photo, or is the middle of the video.

    A picture has only one maker note. If it is from another manufacturer, nothing is written unless \
    --replace-maker-note is given.

    Both files get the picture's name and go into the folder OUT. With -r, pictures without a video are \
    skipped.
    """
  static let examples = [
    Example(
      "apus pair IMG_1.HEIC --video clip.mp4 -o out/", "Writes out/IMG_1.HEIC and out/IMG_1.MOV."),
    Example("apus pair PXL_1.MP.jpg -o out/", "Makes a Live Photo from a motion photo."),
    Example(
      "apus pair -r phone -o apple/",
      "Does so for all motion photos, and for pictures and videos with equal names."
    ),
    Example(
      "apus pair cover.jpg --video clip.mov --at 1.5 -o out/",
      "Sets the time of the picture to 1.5 seconds into the video."),
  ]

  var inputs = InputOptions()
  var video: String?
  var at: MediaTime?
  var replacesNote = false
  var json = false
  var output = OutputOptions()
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    v.heading = "Live Photo"
    try v.option(
      "video", "FILE", &video, completion: .files,
      "video to use instead of one next to the picture")
    try v.option(
      "at", "TIME", &at, "time of the picture in the video, such as 1.5 or 500ms")
    try v.flag(
      "replace-maker-note", &replacesNote,
      """
      replace another manufacturer's maker note
      The identifier of a Live Photo is stored in Apple's maker note
      """
    )
    v.heading = BatchOptions.heading
    try v.json(&json)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard let path = output.path else { throw UsageError("no output folder: use -o OUT/") }
    guard path != "-" else { throw UsageError("a pair is two files; use -o OUT/") }
    guard video == nil && at == nil || !inputs.several else {
      throw UsageError("--video and --at work with one picture only")
    }
    let videos = LiveVideos()
    var written = 0
    try inputs.opened(console, limits.boxes, for: output).each { input in
      guard !input.isFound || PhotoKinds.heifAndJPEG.contains(input.name) else { return }
      guard let maker = try PairMaker(self, input, videos) else {
        guard !input.isFound else {
          return console.detail("\(input.name): has no video, skipped")
        }
        throw MediaError(
          .missing, of: .input,
          "has no video: it is not a motion photo, and no video next to it has its name")
      }
      if try maker.make(console) { written += 1 }
    }
    return written > 0 ? .done : .nothingToDo
  }
}
