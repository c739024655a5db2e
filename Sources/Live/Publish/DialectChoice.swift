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
          ? "the server is nginx-rtmp, which accepts enhanced HEVC but drops the video; "
            + "use the legacy dialect" : nil
      )
    case .legacy: return (.legacy, nil)
    case .auto:
      if server.isNginx {
        throw MediaError(
          .misuse,
          "the server is nginx-rtmp, which accepts enhanced HEVC but drops the video",
          remedy: .legacyDialect)
      }
      guard let capabilities = server.capabilities else {
        throw MediaError(
          .misuse,
          "the server does not say whether it supports HEVC",
          remedy: .dialect)
      }
      guard capabilities.takesVideo("hvc1") else {
        throw MediaError(
          .misuse,
          "HEVC (hvc1) is not among the codecs that the server supports",
          remedy: .dialect)
      }
      return (.enhanced, nil)
    }
  }
}
