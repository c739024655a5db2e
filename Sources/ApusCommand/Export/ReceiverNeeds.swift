// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode

/// The properties of a movie that a receiver rejects, and the ways to fix them.
struct ReceiverNeeds {
  private let receiver: Receiver
  private let movie: MovieAbilities
  /// The reasons for which the container is rejected.
  private(set) var container: [String] = []
  /// The reasons for which the coding of pictures is rejected.
  private(set) var pictures: [String] = []
  /// The reasons for which the coding of sound is rejected.
  private(set) var sound: [String] = []

  init(_ receiver: Receiver, _ movie: MovieAbilities) {
    self.receiver = receiver
    self.movie = movie
    if let taken = receiver.containers, !taken.contains(movie.container) {
      container.append(Self.text("the container is \(movie.container)", taken))
    }
    for track in movie.video { compare(track) }
    for codec in movie.audio {
      if let taken = receiver.audio, !taken.contains(codec) {
        sound.append(Self.text("audio is \(codec)", taken))
      }
    }
  }

  var reasons: [String] { container + pictures + sound }

  private mutating func compare(_ track: MovieAbilities.Pictures) {
    if let taken = receiver.video, !taken.contains(track.codec) {
      pictures.append(Self.text("video is \(track.codec)", taken))
    }
    if let most = receiver.bitDepth, let depth = track.bitDepth, depth > most {
      pictures.append("video has \(depth) bits; accepted: \(most)")
    }
    if track.isHDR, !receiver.takesHDR {
      pictures.append("video is HDR, which is not accepted")
    }
    if let bound = receiver.bound {
      let fitted = bound.fitted(width: track.width, height: track.height)
      if fitted.width < track.width & ~1 || fitted.height < track.height & ~1 {
        pictures.append(
          "video is \(track.width) × \(track.height); accepted: up to \(bound.longSide) × \(bound.shortSide)"
        )
      }
    }
    guard receiver.needsAppleHEVC else { return }
    for problem in track.appleProblems {
      // Another container comes with the right sample entry.
      if problem.hasPrefix("the sample entry") {
        container.append(problem)
      } else {
        pictures.append(problem)
      }
    }
  }

  /// The settings that encode the movie for the receiver; `nil` if that is impossible.
  ///
  /// - Parameter preset: the settings for pictures that must be encoded, if the receiver accepts their codec.
  func settings(_ preset: TranscodePreset?) -> TranscodeSettings? {
    guard !movie.video.isEmpty, receiver.containers?.contains("mp4") ?? true else { return nil }
    var settings = TranscodeSettings()
    if pictures.isEmpty {
      settings = TranscodePreset.copy.settings
      settings.audio.codec = .auto
    } else {
      let codecs: [VideoSettings.Codec] = [.hevc, .h264].filter {
        receiver.video?.contains($0.rawValue) ?? true
      }
      guard !codecs.isEmpty, movie.video.allSatisfy(\.isDecodable) else { return nil }
      let usual: TranscodePreset = codecs.contains(.hevc) ? .hevc2160p : .h2641080p
      settings = (preset ?? usual).settings
      if preset == nil { settings.video.bound = nil }
      settings.video.codecs = settings.video.codecs.filter(codecs.contains)
      if settings.video.codecs.isEmpty { settings.video.codecs = codecs }
      narrow(&settings.video)
    }
    guard !sound.isEmpty else { return settings }
    guard receiver.audio?.contains("aac") ?? true else { return nil }
    settings.audio.codec = .aac
    return settings
  }

  private func narrow(_ video: inout VideoSettings) {
    if let bound = receiver.bound {
      let own = video.bound ?? bound
      video.bound = SizeBound(
        min(own.longSide, bound.longSide), min(own.shortSide, bound.shortSide))
    }
    if let most = receiver.bitDepth {
      let depths = movie.video.compactMap(\.bitDepth) + [video.bitDepth].compactMap(\.self)
      if let depth = depths.max(), depth > most { video.bitDepth = most >= 10 ? 10 : 8 }
    }
    if movie.video.contains(where: \.isHDR), !receiver.takesHDR { video.isToneMapped = true }
  }

  /// The reason why there are no settings.
  var obstacle: String {
    if movie.video.isEmpty { return "Apus does not encode audio-only files" }
    if receiver.containers?.contains("mp4") == false { return "Apus encodes videos only to mp4" }
    if !sound.isEmpty, receiver.audio?.contains("aac") == false {
      return "Apus encodes audio only as aac"
    }
    if let track = movie.video.first(where: { !$0.isDecodable }), !pictures.isEmpty {
      return "Apus cannot decode \(track.codec) video"
    }
    return "Apus encodes video only as hevc or h264"
  }

  private static func text(_ fact: String, _ taken: [String]) -> String {
    "\(fact); accepted: \(taken.joined(separator: ", "))"
  }
}
