// SPDX-License-Identifier: MIT

internal import FFmpeg

/// The units of time of a foreign stream and of the track that it becomes.
struct ForeignUnits: Hashable, Sendable {
  /// Units of a second of the track.
  var timescale: UInt32
  /// Units of a second that its times are settled in.
  var line: UInt32
  /// How many of those one unit of the stream is.
  var scale: Int64
  /// The duration of a picture in units of `line`, where nothing else says it.
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
