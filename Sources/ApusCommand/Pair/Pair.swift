// SPDX-License-Identifier: MIT

import Bytes
import Containers
import Files
import Media
import Stills

/// `apus pair`: a picture and a video become a Live Photo.
struct Pair: Verb {
  static let name = "pair"
  static let summary = "make Live Photos from pictures and videos, and from motion photos"
  static let discussion = """
    A Live Photo is a picture (HEIC or JPEG) and a video (MOV) that carry the same content identifier: the picture in \
    Apple's maker note, the video among its metadata, with a track that says when the picture was taken. What Photos \
    of Apple imports together is shown as one.

    The video is the one that --video names, else the one in the file of a motion photo, else the one beside the \
    picture that carries its identifier or is called alike. Nothing is coded anew: the picture stays byte for byte but \
    for the identifier, a motion photo keeps the video in its file, and a video in MP4 goes into MOV with all its tracks.

    An identifier that one of the two carries is kept and given to the other; two that differ are refused. Otherwise it \
    follows from the bytes of both, so that the same pair gets the same one every time. When the picture was taken is \
    what the video or the motion photo says; where neither does, it is the middle of the video.

    A picture has one maker note. Where that is another maker's, nothing is written unless --replace-maker-note says \
    that it may be lost.

    Both files are called like the picture, and go into the folder OUT. With -r pictures without a video are passed \
    over.
    """
  static let examples = [
    Example(
      "apus pair IMG_1.HEIC --video clip.mp4 -o out/", "Writes out/IMG_1.HEIC and out/IMG_1.MOV."),
    Example("apus pair PXL_1.MP.jpg -o out/", "Makes a Live Photo of a motion photo."),
    Example(
      "apus pair -r phone -o apple/", "Makes one of each motion photo, and of what is called alike."
    ),
    Example(
      "apus pair cover.jpg --video clip.mov --at 1.5 -o out/",
      "Says that the picture was taken 1.5 seconds after the video begins."),
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
      "the video of the picture, whatever lies beside it")
    try v.option(
      "at", "TIME", &at, "when in the video the picture was taken, such as 1.5 or 500ms")
    try v.flag(
      "replace-maker-note", &replacesNote,
      """
      replace another maker's maker note with the identifier
      The identifier of a Live Photo is stored in Apple's maker note
      """
    )
    v.heading = BatchOptions.heading
    try v.json(&json)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard let path = output.path else { throw UsageError("where to write is missing: -o OUT/") }
    guard path != "-" else { throw UsageError("a pair is two files: -o OUT/") }
    guard video == nil && at == nil || !inputs.several else {
      throw UsageError("--video and --at are for one picture")
    }
    let videos = LiveVideos()
    var written = 0
    try inputs.opened(console, limits.boxes, for: output).each { input in
      guard !input.isFound || PhotoKinds.heifAndJPEG.contains(input.name) else { return }
      guard let maker = try PairMaker(self, input, videos) else {
        guard !input.isFound else {
          return console.detail("\(input.name): has no video, passed over")
        }
        throw MediaError(
          .missing, of: .input,
          "has no video: it is not a motion photo, and no video beside it has its name")
      }
      if try maker.make(console) { written += 1 }
    }
    return written > 0 ? .done : .nothingToDo
  }
}
