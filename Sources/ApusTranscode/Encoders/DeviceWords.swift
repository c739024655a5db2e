// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

/// The words in which the encoders of hardware in libavcodec take what all encoders have: each maker has others.
struct DeviceWords {
  /// The encoders, by the ends of their names.
  enum Maker: String, CaseIterable {
    case nvenc, qsv, vaapi, amf, vulkan, v4l2m2m
  }

  /// The encoders that are used, by the codec in FFmpeg's words.
  static let encoders = Set(
    ["hevc", "h264"].flatMap { codec in
      Maker.allCases.map { "\(codec)_\($0.rawValue)" }
    })

  private let maker: Maker
  private let codec: String

  /// - Parameter encoder: its name, such as `hevc_vaapi`.
  init?(_ encoder: String) {
    let words = encoder.split(separator: "_", maxSplits: 1)
    guard words.count == 2, let maker = Maker(rawValue: String(words[1])) else { return nil }
    (codec, self.maker) = (String(words[0]), maker)
  }

  private typealias Option = VideoEncoderSettings.Option

  /// Adds what was requested.
  ///
  /// - Parameter isForced: whether key frames are exactly where they are forced.
  func add(
    _ wanted: VideoSettings, isForced: Bool, to settings: inout VideoEncoderSettings
  ) throws(MediaError) {
    switch wanted.rate {
    case .bitRate(let rate, _):
      settings.bitRate = rate
      (settings.maximumBitRate, settings.bufferSize) = (wanted.peak?.rate, wanted.peak?.buffer)
    case .quality(let quality):
      // The standard values of x265 and x264, which use the same scale.
      let value = Int((quality ?? (codec == "hevc" ? 28 : 23)).rounded())
      settings.options += try constant(min(max(value, 1), 51))
    }
    if let speed = wanted.speed { settings.options += try effort(speed) }
    settings.profile = wanted.profile
    switch maker {
    case .nvenc:
      settings.options.append(Option("forced-idr", "1"))
      if isForced { settings.options.append(Option("no-scenecut", "1")) }
    case .qsv, .amf: settings.options.append(Option("forced_idr", "1"))
    case .vaapi, .vulkan, .v4l2m2m: break
    }
  }

  /// Returns the options for a constant quality.
  private func constant(_ value: Int) throws(MediaError) -> [Option] {
    switch maker {
    case .nvenc: [Option("rc", "vbr"), Option("cq", "\(value)"), Option("b", "0")]
    case .qsv: [Option("global_quality", "\(value)")]
    case .vaapi: [Option("rc_mode", "CQP"), Option("qp", "\(value)")]
    case .vulkan: [Option("rc_mode", "cqp"), Option("qp", "\(value)")]
    case .amf: [Option("rc", "cqp"), Option("qp_i", "\(value)"), Option("qp_p", "\(value)")]
    case .v4l2m2m:
      throw MediaError(.unsupported, "has no constant quality; give a bit rate")
    }
  }

  /// The speeds of x265 and x264, fastest first.
  private static let speeds = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
    "placebo",
  ]

  /// Returns the options for the effort; empty for makers that have no such choice.
  private func effort(_ speed: String) throws(MediaError) -> [Option] {
    guard let place = Self.speeds.firstIndex(of: speed) else {
      throw MediaError(
        .misuse, "there is no speed \(speed); there are \(Self.speeds.joined(separator: ", "))")
    }
    switch maker {
    case .nvenc: return [Option("preset", "p\([1, 1, 2, 3, 4, 4, 5, 6, 7, 7][place])")]
    case .qsv: return [Option("preset", Self.speeds[min(max(place, 2), 8)])]
    case .amf: return [Option("quality", place < 5 ? "speed" : place > 5 ? "quality" : "balanced")]
    case .vaapi, .vulkan, .v4l2m2m: return []
    }
  }
}
