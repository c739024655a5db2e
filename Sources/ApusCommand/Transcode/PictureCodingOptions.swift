// SPDX-License-Identifier: MIT

import HEVC
import Media
import Transcode

/// How pictures are to be coded, as typed.
struct PictureCodingOptions: ArgumentGroup {
  static let heading = "Pictures"

  var preset: TranscodePreset?
  var codecs: CodecList?
  var crf: DecimalNumber?
  var bitRate: BitRate?
  var passes: UInt?
  var speed: String?
  var tune: String?
  var profile: ProfileChoice?
  var gop: GroupLength?
  var closesGroups = false
  var size: FrameSize?
  var depth: UInt?
  var x265: [EncoderWords] = []
  var x264: [EncoderWords] = []
  var threads: UInt?
  var crop: CropArea?
  var frameRate: FrameRate?
  var isDeinterlaced = false
  var isToneMapped = false
  var bakesRotation = false
  var filter: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "preset", "NAME", &preset,
      """
      settings to start from
      Copy cuts at key frames and re-encodes nothing
      """)
    try v.option(
      "codec", "LIST", &codecs,
      """
      hevc, h264, or both; the first one available is used
      Both are separated by a comma
      """)
    try v.option("crf", "N", &crf, "constant quality: less is better and larger; 18 to 28 is usual")
    try v.option("bitrate", "RATE", &bitRate, "bits a second, such as 2500k or 8M")
    try v.option("passes", "N", &passes, "2 goes over the input twice to meet --bitrate better")
    try v.option("speed", "NAME", &speed, "the encoder's preset, ultrafast to placebo; medium")
    try v.option(
      "tune", "NAME", &tune, "the encoder's tune, such as grain, animation or zerolatency")
    try v.option(
      "profile", "NAME", &profile,
      """
      codec profile
      Main and main10 set depth and colour too; main-still takes the first picture alone
      """)
    try v.option(
      "gop", "N", &gop, "most pictures between key frames, or a time such as 2s")
    try v.flag(
      "closed-gop", &closesGroups, "let no picture refer over a key frame that follows")
    try v.option(
      "size", "WxH", &size,
      """
      shrink pictures to fit in WxH, lying or standing
      None is enlarged
      """)
    try v.option("depth", "BITS", &depth, "of a coded sample: 8, 10 or 12, whatever the input has")
    try v.option(
      "x265-params", "LIST", &x265, "settings by x265's own names: aq-mode=3:no-sao=1")
    try v.option("x264-params", "LIST", &x264, "the same for x264")
    try v.option("threads", "N", &threads, "of the encoder")
    v.heading = "Filters"
    try v.option("crop", "WxH+X+Y", &crop, "what is cut out of the pictures as they are stored")
    try v.option("fps", "RATE", &frameRate, "pictures a second, such as 30000/1001")
    try v.flag("deinterlace", &isDeinterlaced, "make whole pictures of fields")
    try v.flag(
      "tonemap", &isToneMapped, "make BT.709 of PQ and HLG, by the curve that photos get (BT.2390)")
    try v.flag(
      "bake-rotation", &bakesRotation, "turn the pictures rather than say how to show them")
    try v.option("filter", "GRAPH", &filter, "libavfilter's filters: eq=contrast=1.1,hqdn3d")
  }

  func apply(to video: inout VideoSettings) throws(UsageError) {
    if let codecs { video.codecs = codecs.codecs }
    guard crf == nil || bitRate == nil else {
      throw UsageError("--crf and --bitrate contradict each other")
    }
    if let crf { video.rate = .quality(crf.value) }
    let count = passes ?? 1
    guard (1...2).contains(count) else { throw UsageError("--passes is \(count), expected 1 or 2") }
    if let bitRate { video.rate = .bitRate(bitRate.value, passes: Int(count)) }
    if count == 2, video.passes != 2 { throw UsageError("--passes 2 needs --bitrate") }
    if let speed { video.speed = speed }
    if let tune { video.tune = tune }
    if let profile { profile.apply(to: &video) }
    switch gop {
    case .pictures(let count): (video.keyFrameInterval, video.keyFrameDuration) = (count, nil)
    case .milliseconds(let length):
      (video.keyFrameInterval, video.keyFrameDuration) = (nil, .milliseconds(length))
    case nil: break
    }
    if closesGroups { video.hasClosedGroups = true }
    if let size { video.bound = SizeBound(size.width, size.height) }
    if let depth {
      guard [8, 10, 12].contains(depth) else {
        throw UsageError("--depth is \(depth), expected 8, 10 or 12")
      }
      video.bitDepth = Int(depth)
    }
    video.x265Parameters += x265.flatMap(\.parameters)
    video.x264Parameters += x264.flatMap(\.parameters)
    if let threads { video.threads = Int(threads) }
    if let crop { video.crop = crop.rect }
    if let frameRate { video.frameRate = frameRate }
    if isDeinterlaced { video.isDeinterlaced = true }
    if isToneMapped { video.isToneMapped = true }
    if bakesRotation { video.rotation = .baked }
    if let filter { video.filter = filter }
  }
}
