// SPDX-License-Identifier: MIT

internal import FLV
internal import Media
internal import RTMP

/// How HEVC is to be sent: asked for, or found out.
public enum DialectChoice: String, Hashable, Sendable, CaseIterable {
  case auto, enhanced, legacy

  /// The dialect for a server, with what a person should hear about it.
  ///
  /// A server that says nothing is not guessed at: those that know Adobe's codecs alone take HEVC in silence, and
  /// the ones that take it say nothing either, most of them.
  func dialect(_ server: ServerFacts) throws(MediaError) -> (HEVCDialect, warning: String?) {
    switch self {
    case .enhanced:
      return (
        .enhanced,
        server.isNginx
          ? "the server is nginx-rtmp, which takes enhanced HEVC without an error and drops the video; "
            + "--dialect legacy gets through it" : nil
      )
    case .legacy: return (.legacy, nil)
    case .auto:
      if server.isNginx {
        throw MediaError(
          .misuse,
          "the server is nginx-rtmp, which takes enhanced HEVC without an error and drops the video; "
            + "--dialect legacy gets through it, to receivers that know codec id 12")
      }
      guard let capabilities = server.capabilities else {
        throw MediaError(
          .misuse,
          "the server does not say whether it takes HEVC; choose --dialect enhanced (hvc1: YouTube, SRS, "
            + "MediaMTX, FFmpeg since 6.1) or --dialect legacy (codec id 12: older servers of Chinese networks)"
        )
      }
      guard capabilities.takesVideo("hvc1") else {
        throw MediaError(
          .misuse,
          "the server lists the codecs that it takes, and HEVC (hvc1) is not among them; "
            + "--dialect enhanced or legacy sends it all the same")
      }
      return (.enhanced, nil)
    }
  }
}
