// SPDX-License-Identifier: MIT

public import RTMP

/// Options for publishing a stream to one target.
public struct PublishOptions: Sendable {
  /// The dialect of HEVC, or the rule for choosing one by the capabilities of the server.
  public var dialect = DialectChoice.auto
  /// The limits of the queue; when they are reached, pictures are dropped.
  public var queue = SendQueue.Limits()
  /// The number of consecutive failures after which no further attempt is made.
  public var retries = 10
  /// Whether to keep trying if a server cannot be reached at the very start; otherwise each address is tried once.
  public var waitsForServer = false
  /// Whether the configuration is sent again before each key frame, for servers that do not keep it.
  public var repeatsConfiguration = false
  /// Whether parameter sets in samples are kept there when the configuration holds them.
  public var keepsInBandSets = true
  /// Whether several tracks of a kind are sent to a server that does not declare support for them (Enhanced RTMP's
  /// multitrack).
  public var forcesMultitrack = false
  /// The rule for redirects to other addresses that are followed.
  public var reconnects = ReconnectPolicy.sameDomain

  /// Creates the default options.
  public init() {}
}
