// SPDX-License-Identifier: MIT

public import Bytes

/// A sample that will be written; its bytes are read then.
public struct NewSample: Sendable {
  /// The time at which it is decoded, in units of the track; may be below 0.
  public var decodeTime: Int64
  /// The time from decoding to presentation; may be below 0.
  public var compositionOffset: Int64 = 0
  /// The duration, which counts until the next sample's decoding time says otherwise.
  public var duration: Int64?
  public var isSync = true
  /// The place of its sample entry, from 0.
  public var entry = 0
  /// How many samples of one size and duration it is; `duration` is that of all.
  public var count = 1
  /// Which sample of its track it was where it came from, from 0; groups go by it.
  public var number: Int?
  public var payload: Extent

  public init(at decodeTime: Int64, _ payload: Extent) {
    self.decodeTime = decodeTime
    self.payload = payload
  }
}
