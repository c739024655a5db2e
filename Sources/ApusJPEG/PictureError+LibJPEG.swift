// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusJPEG

extension MediaError {
  /// - Parameter message: the message of libjpeg.
  init(libjpeg outcome: CInt, _ message: String) {
    self.init(Kind(jpeg: outcome), "libjpeg: \(message)")
  }
}

extension MediaError.Kind {
  init(jpeg outcome: CInt) {
    self =
      switch Int(outcome) {
      case APUS_JPEG_INCOMPLETE: .incomplete
      case APUS_JPEG_UNSUPPORTED: .unsupported
      case APUS_JPEG_LIMIT: .limit
      case APUS_JPEG_MEMORY: .memory
      case APUS_JPEG_MISUSE: .misuse
      case APUS_JPEG_READ: .io
      default: .corrupt
      }
  }
}
