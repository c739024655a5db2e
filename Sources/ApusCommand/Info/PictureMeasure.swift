// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills
import ApusTranscode
import Glibc

extension PlaybackMeasure {
  /// Tests whether the primary picture of a file can be decoded, tiles and derivations included.
  static func picture(of source: any ByteSource, limits: Limits) -> PlaybackMeasure {
    var options = ConvertOptions()
    // Samples as they are: nothing is encoded.
    options.format = .yuv
    options.hdr = .keep
    options.boxLimits = limits
    let engine = PhotoEngine(options, workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let output = DiscardedPicture()
    let request = PhotoRequest(
      name: "picture", open: { source },
      output: { role in role == .primary ? output : nil })
    var measure = PlaybackMeasure(track: "picture")
    measure.isPicture = true
    let report = engine.reportAndWait(of: request)
    measure.took = report.seconds
    switch report.status {
    case .converted, .salvaged: measure.isDecodable = .yes
    case .skipped, .failed:
      let reason = report.failure?.description ?? "it has no picture"
      measure.isDecodable = reason.holds(DiscardedPicture.impatience) ? .unmeasured : .no
      measure.reason = reason
    }
    return measure
  }
}

/// A destination that discards the picture, for two seconds at most.
private final class DiscardedPicture: PhotoOutput {
  static let impatience = "takes too long"
  private let deadline = SuspendingClock.now + .seconds(2)

  func write(_ bytes: Span<UInt8>) throws(MediaError) {
    guard SuspendingClock.now < deadline else { throw MediaError(.limit, Self.impatience) }
  }

  func amend(_ bytes: Span<UInt8>, at offset: Int) throws(MediaError) {}
  func written() throws(MediaError) -> any ByteSource { MemorySource([]) }
  func commit() throws(MediaError) -> String? { "" }
}
