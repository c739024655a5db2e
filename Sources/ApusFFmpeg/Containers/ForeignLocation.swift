// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// An address that libavformat itself connects to, such as that of a camera with RTSP.
public struct ForeignLocation: Sendable {
  /// The address in full, with user and password.
  public var url: String
  /// The demuxer, by the library's name: `rtsp` or `rtp`.
  public var format: String
  /// Options of the demuxer and its protocols.
  public var options: [ForeignTag]
  /// Ends its calls, and limits their silences.
  public var interruption: ForeignInterruption

  public init(
    _ url: String, format: String, options: [ForeignTag], _ interruption: ForeignInterruption
  ) {
    self.url = url
    self.format = format
    self.options = options
    self.interruption = interruption
  }
}

extension ForeignLocation {
  /// Returns the error for a code of the library.
  ///
  /// - Parameter isOpen: whether it has begun to send.
  func failure(_ code: Int32, isOpen: Bool = true, _ library: LibAVFormat) -> MediaError {
    if interruption.isInterrupted { return MediaError(.cancelled, of: .input, "was interrupted") }
    if interruption.isLate {
      return MediaError(.io, of: .input, isOpen ? "sends nothing" : "does not answer in time")
    }
    let isRefused = [apus_error_unauthorized, apus_error_forbidden].contains(code)
    return MediaError(
      isRefused ? .misuse : .io, of: .input, "cannot be read (\(library.codecs.text(code)))")
  }
}
