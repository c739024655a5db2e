// SPDX-License-Identifier: MIT

internal import ApusFFmpeg

/// Options for reading an address.
public struct NetworkOptions: Sendable {
  /// The longest time for which the other side may send nothing.
  public var patience: Duration
  /// Whether the certificates of https:// are checked. Those of rtsps:// cannot be.
  public var checksCertificates = true
  /// A file with the only certificates that are trusted (PEM); `nil` for those of the system.
  public var certificates: String?

  /// Creates options with the system's certificates and a patience of 15 s.
  public init() { patience = .seconds(15) }

  /// The options of libavformat for the protocols, of which no others are used.
  func tags(_ protocols: String) -> [ForeignTag] {
    var tags = [
      ForeignTag(name: "protocol_whitelist", value: protocols),
      ForeignTag(name: "tls_verify", value: checksCertificates ? "1" : "0"),
    ]
    if let certificates { tags.append(ForeignTag(name: "ca_file", value: certificates)) }
    return tags
  }
}
