// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusSamples
import FLV
import Synchronization

/// Any input is refused, or carried into every output, or the reason said. The last byte chooses an output for which a
/// second walk has to give the same again.
func fuzz(_ bytes: [UInt8]) throws {
  let source = MemorySource(bytes)
  let choice = Int(bytes.last ?? 0) % RemuxTarget.allCases.count
  for (index, target) in RemuxTarget.allCases.enumerated() {
    let dialect: HEVCDialect = bytes.count & 1 == 0 ? .enhanced : .legacy
    guard let job = job(source, target, dialect) else { continue }
    let outcome = written(job)
    guard index == choice else { continue }
    try expect(outcome == written(job), "a second walk gives other bytes as \(target)")
  }
  try grow(bytes)
}

private func job(_ source: MemorySource, _ target: RemuxTarget, _ dialect: HEVCDialect) -> RemuxJob?
{
  var options = RemuxJob.Options(target)
  options.dialect = dialect
  options.muxers = ForeignMuxerMaker()
  do {
    var opening = OpeningOptions()
    opening.openers = [ForeignOpener()]
    return try RemuxJob(MediaInput.open(source, options: opening), options: options)
  } catch {
    return nil
  }
}

/// How much was written, and what stopped it.
private func written(_ job: RemuxJob) -> String {
  var sink = CountingSink()
  do {
    let report = try job.writeAndWait(to: &sink)
    return "\(sink.count) bytes of \(report.tracks.map(\.samples))"
  } catch {
    return "\(error)"
  }
}

/// The same bytes, as they come out of a pipe.
private func grow(_ bytes: [UInt8]) throws {
  let place = Mutex(0)
  let pull: PullBytes = { () throws(SyntaxError) in
    place.withLock { place in
      guard place < bytes.count else { return nil }
      defer { place += 4096 }
      return Array(bytes[place..<min(place + 4096, bytes.count)])
    }
  }
  do {
    let input = try MediaInput.open(growing: pull)
    var sink = CountingSink()
    _ = try RemuxJob(input, options: RemuxJob.Options(.fmp4)).writeAndWait(to: &sink)
  } catch {}
}
