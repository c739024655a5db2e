// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

extension VideoEncoderSettings {
  /// All settings that are set by name.
  var allOptions: [Option] {
    var all: [Option] = []
    if let preset { all.append(Option("preset", preset)) }
    if let tune { all.append(Option("tune", tune)) }
    if let profile { all.append(Option("profile", profile)) }
    if let level { all.append(Option("level", level)) }
    if let crf { all.append(Option("crf", "\(crf)")) }
    switch pass {
    case .first(let path), .second(let path): all.append(Option("stats", path))
    case nil: break
    }
    // Requested key frames must be such that decoders can begin with them.
    if codec == "libx264" || codec == "libx265" { all.append(Option("forced-idr", "1")) }
    all += options
    switch codec {
    case "libx264": Self.append(light("mastering-display", "cll"), to: "x264-params", in: &all)
    case "libx265": Self.append(light("master-display", "max-cll"), to: "x265-params", in: &all)
    default: break
    }
    return all
  }

  /// Returns the brightness of pictures in the words of x264 and x265.
  private func light(_ display: String, _ level: String) -> [String] {
    var words: [String] = []
    if let master = traits.masteringDisplay {
      let points = [
        ("G", master.green), ("B", master.blue), ("R", master.red), ("WP", master.white),
      ]
      let text = points.map { "\($0.0)(\($0.1.x),\($0.1.y))" }.joined()
      words.append(
        "\(display)=\(text)L(\(master.maximumLuminance),\(master.minimumLuminance))")
    }
    if let light = traits.contentLight {
      words.append("\(level)=\(light.maximum),\(light.maximumAverage)")
    }
    return words
  }

  /// Adds words before existing ones, which come last and take precedence.
  private static func append(_ words: [String], to name: String, in options: inout [Option]) {
    guard !words.isEmpty else { return }
    if let index = options.firstIndex(where: { $0.name == name }) {
      options[index].value = (words + [options[index].value]).joined(separator: ":")
    } else {
      options.append(Option(name, words.joined(separator: ":")))
    }
  }

  @unsafe func set(
    on context: UnsafeMutablePointer<AVCodecContext>, format: AVPixelFormat
  ) throws(MediaError) {
    guard width > 0, height > 0, let width = Int32(exactly: width),
      let height = Int32(exactly: height), timescale > 0, let scale = Int32(exactly: timescale)
    else {
      throw MediaError(.misuse, "\(width) × \(height) in units of 1/\(timescale) s is not encoded")
    }
    unsafe context.pointee.width = width
    unsafe context.pointee.height = height
    unsafe context.pointee.pix_fmt = format
    unsafe context.pointee.time_base = AVRational(num: 1, den: scale)
    let rate = frameRate ?? Fraction(25, 1)
    unsafe context.pointee.framerate = AVRational(
      num: Int32(clamping: rate.numerator), den: Int32(clamping: rate.denominator))
    if let keyFrameInterval { unsafe context.pointee.gop_size = Int32(clamping: keyFrameInterval) }
    if let bFrames { unsafe context.pointee.max_b_frames = Int32(clamping: bFrames) }
    if let bitRate { unsafe context.pointee.bit_rate = Int64(bitRate) }
    if let maximumBitRate { unsafe context.pointee.rc_max_rate = Int64(maximumBitRate) }
    if let bufferSize { unsafe context.pointee.rc_buffer_size = Int32(clamping: bufferSize) }
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    switch pass {
    case .first: unsafe context.pointee.flags |= AV_CODEC_FLAG_PASS1
    case .second: unsafe context.pointee.flags |= AV_CODEC_FLAG_PASS2
    case nil: break
    }
    unsafe setTraits(on: context)
  }

  @unsafe private func setTraits(on context: UnsafeMutablePointer<AVCodecContext>) {
    if let colour = traits.colour {
      unsafe context.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: colour.primaries))
      unsafe context.pointee.color_trc = AVColorTransferCharacteristic(
        UInt32(clamping: colour.transfer))
      unsafe context.pointee.colorspace = AVColorSpace(UInt32(clamping: colour.matrix))
      unsafe context.pointee.color_range =
        colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    }
    if let aspect = traits.sampleAspect {
      unsafe context.pointee.sample_aspect_ratio = AVRational(
        num: Int32(clamping: aspect.horizontal), den: Int32(clamping: aspect.vertical))
    }
    guard let fields = traits.fields, fields != .progressive else { return }
    unsafe context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME
    unsafe context.pointee.field_order = fields == .topFirst ? AV_FIELD_TT : AV_FIELD_BB
  }
}
