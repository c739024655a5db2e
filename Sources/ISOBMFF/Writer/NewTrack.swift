// SPDX-License-Identifier: MIT

public import Bytes

/// A track that will be written, and what its samples are.
public struct NewTrack: Sendable {
  /// `vide` or `soun`.
  public var handler: FourCC
  /// Units of its times in a second.
  public var timescale: UInt32
  /// Three letters (ISO 639-2).
  public var language = "und"
  /// As it is shown, in 16.16 fixed point; 0 for sound.
  public var width: UInt32 = 0
  public var height: UInt32 = 0
  public var matrix = TransformationMatrix()
  /// How long the only sample lasts where nothing tells it.
  public var defaultDuration: Int64?
  /// What stands in `stsd`; samples name their entry by its place here.
  public var sampleEntries: [Node] = []

  public init(_ handler: FourCC, timescale: UInt32) {
    self.handler = handler
    self.timescale = timescale
  }
}

/// A sample that will be written; its bytes are read then.
public struct NewSample: Sendable {
  /// In units of the track; may be below 0.
  public var decodeTime: Int64
  /// From decoding to presentation; may be below 0.
  public var compositionOffset: Int64 = 0
  /// Until the next sample says otherwise.
  public var duration: Int64?
  public var isSync = true
  /// The place of its sample entry, from 0.
  public var entry = 0
  public var payload: Extent

  public init(at decodeTime: Int64, _ payload: Extent) {
    self.decodeTime = decodeTime
    self.payload = payload
  }
}
