// SPDX-License-Identifier: MIT

public import Flow
public import RTMP

/// How a stream is published.
public struct PublishOptions: Sendable {
  public var pace = Pacer.Mode.paced(speed: 1)
  public var dialect = DialectChoice.auto
  public var queue = SendQueue.Limits()
  /// How many times in a row a failure is followed by another attempt before the stream is given up.
  public var retries = 10
  /// Whether a server that cannot be reached at the very start is waited for; else each address is tried once.
  public var waitsForServer = false
  /// Whether input that comes as it is made can be read later, as a pipe can. It then waits at its start for a server that is
  /// still connecting, for three seconds at most.
  public var waitsAtStart = false
  /// Whether the configuration is sent again before each key frame, for servers that do not keep it.
  public var repeatsConfiguration = false
  /// Whether parameter sets in samples stay there when the configuration holds them.
  public var keepsInBandSets = true
  /// Whether a server that does not announce several tracks of a kind (Enhanced RTMP's multitrack) gets them all the
  /// same.
  public var forcesMultitrack = false
  /// What the source says of itself; its tags go with the metadata.
  public var details = MediaDetails()
  public var reconnects = ReconnectPolicy.sameDomain

  public init() {}
}
