// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import FLV
internal import RTMP

/// The way in which the dialect of HEVC is chosen: by the user, or automatically.
public enum DialectChoice: String, Hashable, Sendable, CaseIterable {
  case auto, enhanced, legacy

  /// Returns the dialect for a server, with a warning for the user.
  ///
  /// No guess is made for a server that declares nothing: servers that know only Adobe's codecs accept HEVC silently,
  /// and most of those that support it declare nothing either.
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
