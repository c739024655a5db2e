// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples

/// The walk over the samples of the input.
extension RemuxJob {
  /// - Parameter isLate: whether the output reads payloads at its end.
  func carry<Output: SampleOutput & ~Copyable>(
    to output: inout Output, isLate: Bool = false
  ) throws -> RemuxReport {
    // The walk over the input, which may have very many tracks, ends before anything is written at the end.
    let report = try pull(to: &output, isLate: isLate)
    try output.finish()
    return report
  }

  func pull<Output: SampleOutput & ~Copyable>(
    to output: inout Output, isLate: Bool
  ) throws -> RemuxReport {
    var source = source
    var spool = PayloadSpool()
    var report = plan
    var first: RationalTime?
    var end: RationalTime?
    var codecs = source.tracks.map(\.format.codec)
    var changed: [String] = []
    while var event = try source.next() {
      if isCancelled() { throw CancellationError() }
      switch event {
      case .format(let track, let format):
        report.tracks[track].changes += 1
        if format.codec != codecs[track], options.target.isMovie {
          changed.append(
            "\(plan.tracks[track].name) changes to \(format.codec), which few players support")
        }
        codecs[track] = format.codec
      case .sample(var sample):
        if isLate {
          try spool.keep(&sample)
          event = .sample(sample)
        }
        report.tracks[sample.track].samples += 1
        if sample.isSync { report.tracks[sample.track].keyFrames += 1 }
        if first.map({ sample.presentationTime.isBefore($0) }) ?? true {
          first = sample.presentationTime
        }
        let last = sample.end
        if end.map({ $0.isBefore(last) }) ?? true { end = last }
      }
      try output.add(event)
    }
    if isCancelled() { throw CancellationError() }
    report.repairs = source.repairs + changed
    if let first = first?.rounded(to: 1000), let end = end?.rounded(to: 1000) {
      report.duration = .milliseconds(end.subtractingReportingOverflow(first).partialValue)
    }
    return report
  }
}
