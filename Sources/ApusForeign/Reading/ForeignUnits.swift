// SPDX-License-Identifier: MIT

internal import ApusFFmpeg

/// The time units of a foreign stream and of its track.
struct ForeignUnits: Hashable, Sendable {
  /// The units per second of the track.
  var timescale: UInt32
  /// The units per second in which its times are computed.
  var line: UInt32
  /// The number of those in one unit of the stream.
  var scale: Int64
  /// The duration of a picture in units of `line`, if it is not given otherwise.
  var frame: Int64

  init(_ stream: ForeignStream) {
    line = UInt32(exactly: stream.unit.denominator).flatMap { $0 > 0 ? $0 : nil } ?? 1_000_000
    scale = max(Int64(stream.unit.numerator), 1)
    timescale = line
    frame = scale
    if stream.kind == .audio, let rate = UInt32(exactly: stream.sampleRate), rate > 0 {
      timescale = rate
    }
    if let rate = stream.frameRate, rate.numerator > 0 {
      let units = Int64(line).multipliedReportingOverflow(by: Int64(rate.denominator))
      if !units.overflow { frame = max(units.partialValue / Int64(rate.numerator), 1) }
    }
  }
}
