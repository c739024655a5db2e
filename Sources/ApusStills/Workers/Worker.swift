// SPDX-License-Identifier: MIT

internal import ApusIntra
internal import ApusJPEG
internal import ApusMedia
internal import ApusPNG
internal import ApusThreads
internal import HEIF

/// The resources that one thread keeps from task to task: its decoders and encoders.
final class Worker {
  /// The options of the current photo.
  var options: ConvertOptions
  private var decoders: [DecoderKey: any PictureDecoder] = [:]
  /// The decoders used since the list was last taken.
  private var uses: [CodecUse] = []
  private var jpegEncoder: (settings: JPEGSettings, encoder: JPEGBandEncoder)?

  /// The other workers, which take part in a picture when they are idle.
  let others: (any IdleWorkers)?

  /// - Parameter decoder: a decoder to use instead of the libraries.
  init(
    _ options: ConvertOptions, beside others: (any IdleWorkers)? = nil,
    decoder: (any PictureDecoder)? = nil
  ) {
    self.options = options
    self.others = others
    substitute = decoder
  }

  private let substitute: (any PictureDecoder)?
  private let libraries = LibraryDecoders()

  private struct DecoderKey: Hashable {
    var library: DecoderLibrary
    var threads: Int
    var salvages: Bool
    var megapixels: Int
  }

  /// Returns the decoder for a codec.
  ///
  /// - Parameter threads: the number of threads that a decoder may use within one picture.
  func decoder(for codec: PictureCodec, threads: Int) throws(MediaError) -> any PictureDecoder {
    if let substitute { return substitute }
    let library = options.decoder.library(for: codec)
    let key = DecoderKey(
      library: library, threads: threads, salvages: options.salvages,
      megapixels: options.limits.megapixels)
    if let decoder = decoders[key] { return decoder }
    let decoder: any PictureDecoder =
      switch library {
      case .automatic:
        AutomaticDecoder(salvaging: options.salvages, threads: threads, libraries)
      case .libavcodec: try loaded(.libavcodec, threads)
      case .libde265: try loaded(.libde265, threads)
      case .intra: IntraDecoder()
      case .libheif: try loaded(.libheif, threads)
      case .libspng: PNGDecoder()
      case .none: RasterDecoder()
      case .libjpeg:
        try JPEGDecoder(salvaging: options.salvages, megapixels: options.limits.megapixels)
      }
    decoders[key] = decoder
    return decoder
  }

  private func loaded(_ library: LoadedDecoder, _ threads: Int) throws(MediaError)
    -> any PictureDecoder
  {
    try libraries.decoder(library, salvaging: options.salvages, threads: threads)
  }

  /// Records that a decoder was used.
  func note(_ decoder: any PictureDecoder) {
    note((decoder as? AutomaticDecoder)?.use ?? CodecUse(name: decoder.name))
  }

  func note(_ use: CodecUse) { uses.add(use) }

  func takeUses() -> [CodecUse] {
    defer { uses = [] }
    return uses
  }

  func jpegEncoder(_ settings: JPEGSettings) throws(MediaError) -> JPEGBandEncoder {
    if let jpegEncoder, jpegEncoder.settings == settings { return jpegEncoder.encoder }
    let encoder = try JPEGBandEncoder(settings)
    jpegEncoder = (settings, encoder)
    return encoder
  }
}

/// The library that decodes pictures.
enum DecoderLibrary: Hashable, Sendable {
  /// The built-in decoder, and libavcodec for streams that it does not support.
  case automatic
  case libavcodec, libde265, intra, libheif, libjpeg, libspng
  /// No library, for uncompressed samples.
  case none

  var name: String { "\(self)" }
}

extension DecoderChoice {
  func library(for codec: PictureCodec) -> DecoderLibrary {
    switch codec {
    case .hevc:
      switch self {
      case .auto: .automatic
      case .intra: .intra
      case .libavcodec: .libavcodec
      case .libde265: .libde265
      }
    case .avc, .av1: .libavcodec
    case .jpeg: .libjpeg
    case .png, .pngAlpha: .libspng
    case .raster: .none
    case .item: .libheif
    }
  }
}
