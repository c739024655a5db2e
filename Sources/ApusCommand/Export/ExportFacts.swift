// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import ApusRecords
import ISOBMFF

/// The kind of a file, as far as a receiver is concerned.
enum ExportFacts: Sendable {
  /// A picture, by its word in `Receiver.imageWords`.
  case image(String, isAnimated: Bool = false)
  case movie(MovieAbilities)
  /// No media, or unknown media.
  case other(FileKind)

  init(of source: any ByteSource, limits: Limits) throws {
    let kind = try FileKind(of: source)
    switch kind {
    case .isoBMFF:
      let overview = try Overview(of: source, limits: limits)
      switch overview.traits.kind {
      case .image:
        let isAnimated = [.animated, .looping].contains(overview.traits.playback)
        self = .image(overview.isAVIF ? "avif" : "heic", isAnimated: isAnimated)
      case .video, .audio: self = .movie(MovieAbilities(overview))
      case .other: self = .other(kind)
      }
    case .jpeg: self = .image("jpeg")
    case .png, .gif, .bmp, .tiff: self = .image(kind.rawValue)
    case .webP: self = .image("webp")
    case .jpegXL: self = .image("jpeg-xl")
    case .jpeg2000: self = .image("jpeg-2000")
    case .wave: self = .movie(MovieAbilities("wave", audio: ["pcm"]))
    case .mp3: self = .movie(MovieAbilities("mp3", audio: ["mp3"]))
    case .adts: self = .movie(MovieAbilities("adts", audio: ["aac"]))
    case .ogg: self = .movie(MovieAbilities("ogg", audio: ["vorbis"]))
    case .flv: self = .movie(try MovieAbilities("flv", tracksOf: source, limits))
    case .matroska: self = .movie(try MovieAbilities("matroska", tracksOf: source, limits))
    case .mpegTS: self = .movie(try MovieAbilities("mpeg-ts", tracksOf: source, limits))
    case .mpegPS: self = .movie(try MovieAbilities("mpeg-ps", tracksOf: source, limits))
    case .avi: self = .movie(try MovieAbilities("avi", tracksOf: source, limits))
    case .annexB: self = .movie(try MovieAbilities("bare", tracksOf: source, limits))
    default: self = .other(kind)
    }
  }

  var name: String {
    switch self {
    case .image(let word, _): word
    case .movie(let movie): movie.name
    case .other: "no media"
    }
  }
}

extension Overview {
  /// Whether the primary picture is coded as AV1.
  fileprivate var isAVIF: Bool { picture?.primary?.codec.hasPrefix("av01") ?? false }
}
