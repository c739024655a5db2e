// SPDX-License-Identifier: MIT

import ApusTranscode

/// The formats that a receiver can show. A `nil` list or bound accepts everything.
struct Receiver: Hashable, Sendable {
  /// The names of picture formats.
  var images: [String]?
  var containers: [String]?
  var video: [String]?
  var audio: [String]?
  /// The greatest bit depth of the samples of videos.
  var bitDepth: Int?
  var takesHDR = true
  /// The maximum size of videos, in landscape or portrait.
  var bound: SizeBound?
  /// Whether HEVC must play on Apple's software: 4:2:0 in Main or Main 10, with the sample entry `hvc1`.
  var needsAppleHEVC = false

  static let imageWords = [
    "heic", "avif", "jpeg", "png", "gif", "bmp", "tiff", "webp", "jpeg-xl", "jpeg-2000",
  ]
  static let containerWords = [
    "mp4", "mov", "matroska", "flv", "mpeg-ts", "mpeg-ps", "avi", "bare", "wave", "mp3", "ogg",
    "adts",
  ]
  static let videoWords = ["h264", "hevc", "av1", "vp8", "vp9", "prores", "mpeg4", "mjpeg"]
  static let audioWords = [
    "aac", "mp3", "alac", "ac3", "eac3", "opus", "flac", "vorbis", "pcm",
  ]

  /// A receiver that accepts everything.
  static let any = Receiver()

  /// Apple's phones and computers since 2017.
  static let apple: Receiver = {
    var receiver = Receiver()
    receiver.images = imageWords.filter { $0 != "jpeg-xl" }
    receiver.containers = ["mp4", "mov", "wave", "mp3", "adts"]
    receiver.video = ["h264", "hevc", "prores", "mjpeg"]
    receiver.audio = ["aac", "mp3", "alac", "ac3", "eac3", "pcm"]
    receiver.bitDepth = 10
    receiver.needsAppleHEVC = true
    return receiver
  }()

  /// Programs and TVs from before HEVC.
  static let legacy: Receiver = {
    var receiver = Receiver()
    receiver.images = ["jpeg", "png", "gif", "bmp"]
    receiver.containers = ["mp4", "mov", "wave", "mp3"]
    receiver.video = ["h264"]
    receiver.audio = ["aac", "mp3", "pcm"]
    receiver.bitDepth = 8
    receiver.takesHDR = false
    receiver.bound = SizeBound(1920, 1080)
    return receiver
  }()
}
