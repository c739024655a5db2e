// SPDX-License-Identifier: MIT

import HEVC
import Media

/// How the video and the sound of an input differ from what a service asks for.
struct ConfigurationFit {
  /// What the service would not take, as text.
  private(set) var misfits: [String] = []
  /// What it may take all the same.
  private(set) var warnings: [String] = []

  /// A bit rate that is higher by less is no other one.
  private static let tolerance = 1.1

  init(_ videos: [StreamSurvey.Video], to wanted: [ServiceConfiguration.Video]) {
    guard !wanted.isEmpty else { return }
    if videos.count != wanted.count {
      misfits.append(
        "it asks for \(Self.count(wanted.count)) of video "
          + "(\(wanted.map(Self.text).joined(separator: "; "))), and the input has "
          + "\(Self.count(videos.count))")
    }
    for (index, (video, wanted)) in zip(videos, wanted).enumerated() {
      let name = videos.count > 1 ? "video \(index)" : "the video"
      if let codec = wanted.codec, codec != video.codec {
        misfits.append("\(name) is \(video.codec), and it asks for \(codec) (\(wanted.encoder))")
      }
      if wanted.width > 0, video.width > 0,
        (video.width, video.height) != (wanted.width, wanted.height)
      {
        misfits.append(
          "\(name) is \(video.width) × \(video.height), and it asks for "
            + "\(wanted.width) × \(wanted.height)")
      }
      if let asked = wanted.frameRate, let rate = video.frameRate?.framesPerSecond,
        abs(asked - rate) > asked * 0.001
      {
        warnings.append(
          "\(name) has \(Self.decimal(rate)) pictures a second, and the service asks for "
            + "\(Self.decimal(asked))")
      }
      if let asked = wanted.bitRate, let rate = video.bitRate,
        Double(rate) > Double(asked) * Self.tolerance
      {
        warnings.append(
          "\(name) has \(StreamText.rate(rate)), and the service asks for \(StreamText.rate(asked))"
        )
      }
    }
  }

  /// - Parameter wanted: what the service asks for; `nil` where it says nothing of sound.
  mutating func compare(_ sounds: [StreamSurvey.Sound], to wanted: [ServiceConfiguration.Sound]?) {
    guard let wanted else { return }
    if sounds.isEmpty, !wanted.isEmpty {
      warnings.append(
        "the input has no sound, and the service asks for \(Self.count(wanted.count)) of it")
      return
    }
    if sounds.count != wanted.count {
      misfits.append(
        "it asks for \(Self.count(wanted.count)) of sound, and the input has "
          + "\(Self.count(sounds.count)), of which --audio chooses some")
    }
    for (index, (sound, wanted)) in zip(sounds, wanted).enumerated() {
      let name = sounds.count > 1 ? "sound \(index)" : "the sound"
      if let codec = wanted.codec, codec != sound.codec {
        misfits.append("\(name) is \(sound.codec), and it asks for \(codec) (\(wanted.encoder))")
      }
      if wanted.channels > 0, sound.channels > 0, wanted.channels != sound.channels {
        warnings.append(
          "\(name) has \(Self.channels(sound.channels)), and the service asks for "
            + Self.channels(wanted.channels))
      }
      if let asked = wanted.bitRate, let rate = sound.bitRate,
        Double(rate) > Double(asked) * Self.tolerance
      {
        warnings.append(
          "\(name) has \(StreamText.rate(rate)), and the service asks for \(StreamText.rate(asked))"
        )
      }
    }
  }

  private static func channels(_ count: Int) -> String {
    count == 1 ? "1 channel" : "\(count) channels"
  }

  func check() throws(MediaError) {
    guard !misfits.isEmpty else { return }
    throw MediaError(
      .unsupported, "the service asks for another stream: \(misfits.joined(separator: "; "))")
  }

  private static func count(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

  private static func text(_ video: ServiceConfiguration.Video) -> String {
    var words = ["\(video.codec ?? video.encoder) \(video.width) × \(video.height)"]
    if let rate = video.frameRate { words.append("\(decimal(rate)) pictures a second") }
    if let rate = video.bitRate { words.append(StreamText.rate(rate)) }
    return words.joined(separator: ", ")
  }

  private static func decimal(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
