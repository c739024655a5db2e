// SPDX-License-Identifier: MIT

public import ApusBytes

/// A sample to be written, whose bytes are read only then.
public struct NewSample: Sendable {
  /// The decoding time, in units of the track; may be negative.
  public var decodeTime: Int64
  /// The time from decoding to presentation; may be negative.
  public var compositionOffset: Int64 = 0
  /// The duration, which applies unless the next sample's decoding time implies another.
  public var duration: Int64?
  /// Whether decoding may begin here.
  public var isSync = true
  /// The index of its sample entry, from 0.
  public var entry = 0
  /// The number of samples with the same size and duration; `duration` is the sum.
  public var count = 1
  /// The sample's index in the track that it came from, from 0; groups refer to it.
  public var number: Int?
  /// The bytes of the sample, which stay in their source until they are written.
  public var payload: Extent

  /// Creates a sample at which decoding may begin, presented when it is decoded.
  public init(at decodeTime: Int64, _ payload: Extent) {
    self.decodeTime = decodeTime
    self.payload = payload
  }
}
