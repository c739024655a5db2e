// SPDX-License-Identifier: MIT

internal import ApusDe265
internal import ApusFFmpeg
internal import ApusLibHEIF
package import ApusMedia

/// The decoders that are C libraries, loaded when a picture needs them.
package enum LoadedDecoder: String, Hashable, Sendable, CaseIterable {
  case libavcodec, libde265, libheif
  /// libavcodec, checked against libde265.
  case agreement

  /// Loads the decoder into this process.
  package func load(salvaging: Bool, threads: Int) throws(MediaError) -> any SalvagingDecoder {
    switch self {
    case .libavcodec: try FFmpegDecoder(salvaging: salvaging, threads: threads)
    case .libde265: try De265Decoder(salvaging: salvaging)
    case .libheif: try LibHEIFDecoder()
    case .agreement: try SecondOpinion(salvaging: salvaging, threads: threads)
    }
  }
}
