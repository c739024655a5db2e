// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode
import HEVC

/// The options for encoding pictures.
struct PictureCodingOptions: ArgumentGroup {
  static let heading = "Pictures"

  var preset: TranscodePreset?
  var codecs: CodecList?
  var make = EncoderMake()
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
      Separate them with a comma
      """)
    try v.group(&make)
    try v.option(
      "crf", "N", &crf, excludes: ["bitrate"],
      "constant quality: lower is better; 18 to 28 is usual")
    try v.option("bitrate", "RATE", &bitRate, "bit rate in bit/s, such as 2500k or 8M")
    try v.option("passes", "N", &passes, "1 or 2; two passes meet --bitrate more closely")
    try v.option("speed", "NAME", &speed, "encoder preset, ultrafast to placebo (default medium)")
    try v.option(
      "tune", "NAME", &tune, "encoder tuning, such as grain or zerolatency")
    try v.option(
      "profile", "NAME", &profile,
      """
      codec profile
      Main and main10 also set depth and chroma format; main-still encodes only the first picture
      """)
    try v.option(
      "gop", "N", &gop, "key frame interval in pictures, or a time such as 2s")
    try v.flag(
      "closed-gop", &closesGroups, "no references across key frames (closed groups)")
    try v.option(
      "size", "WxH", &size,
      """
      shrink pictures to fit in WxH, in either orientation
      Pictures are never enlarged
      """)
    try v.option("depth", "BITS", &depth, "bit depth: 8, 10 or 12; otherwise that of the input")
    try v.option(
      "x265-params", "LIST", &x265, "x265 parameters, such as aq-mode=3:no-sao=1")
    try v.option("x264-params", "LIST", &x264, "x264 parameters")
    try v.option("threads", "N", &threads, "number of encoder threads")
    v.heading = "Filters"
    try v.option("crop", "WxH+X+Y", &crop, "crop the pictures as stored, before rotation")
    try v.option("fps", "RATE", &frameRate, "frame rate, such as 30000/1001")
    try v.flag("deinterlace", &isDeinterlaced, "deinterlace fields into frames")
    try v.flag(
      "tonemap", &isToneMapped, "convert PQ and HLG to BT.709 SDR (BT.2390)")
    try v.flag(
      "bake-rotation", &bakesRotation, "rotate the pictures instead of storing the rotation")
    try v.option("filter", "GRAPH", &filter, "libavfilter filters, such as eq=contrast=1.1,hqdn3d")
  }

  /// Throws for settings that only encoders in software have.
  private func checkHardware(_ video: VideoSettings) throws(UsageError) {
    let own = [
      ("--x265-params", !video.x265Parameters.isEmpty), ("--tune", video.tune != nil),
      ("--x264-params", !video.x264Parameters.isEmpty), ("--passes 2", video.passes == 2),
    ]
    guard let name = own.first(where: \.1)?.0 else { return }
    throw UsageError("\(name) is for encoders in software, which hardware does not have")
  }

  func apply(to video: inout VideoSettings) throws(UsageError) {
    if let codecs { video.codecs = codecs.codecs }
    make.apply(to: &video)
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
    if (video.required ?? video.preferred) == .hardware { try checkHardware(video) }
    if let crop { video.crop = crop.rect }
    if let frameRate { video.frameRate = frameRate }
    if isDeinterlaced { video.isDeinterlaced = true }
    if isToneMapped { video.isToneMapped = true }
    if bakesRotation { video.rotation = .baked }
    if let filter { video.filter = filter }
  }
}
