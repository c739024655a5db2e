// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// Sums up the facts from a walk over the samples of a track.
struct SampleTally {
  private var facts = SampleFacts()
  private var lastKey = 0
  private var lastDuration: Int64?
  private let fileEnd: Int

  /// The maximum number of samples past the end of the file.
  private static let mostMissing = 1 << 20
  /// The number of equal samples counted at once.
  private static let mostAlike = 1 << 16
  /// The number of runs passed to an observer at once.
  private static let batch = 256

  /// Walks as far as the tables go; the error tells where they end too early.
  ///
  /// - Parameters:
  ///   - pictures: examines the samples.
  ///   - observer: also receives the samples.
  static func gather(
    _ track: Track, in source: any ByteSource, _ pictures: inout PictureCounter,
    _ observer: (any SampleObserver)?
  ) -> (SampleFacts, SyntaxError?) {
    let first = track.sampleEntries.first
    let isVideo = track.handler == "vide" || first?.located.box(VisualSampleEntry.self) != nil
    observer?.begin(track, isVideo: isVideo)
    var tally = SampleTally(fileEnd: source.count)
    var runs: [SampleRun] = []
    let isObserved = observer != nil
    var isReading = pictures.isReading
    var failure: SyntaxError?
    do throws(SyntaxError) {
      var cursor = track.samples()
      let most = isVideo || isReading ? 1 : mostAlike
      while let run = try cursor.nextRun(upTo: min(most, mostMissing - tally.facts.missing)) {
        tally.add(run)
        if isReading {
          pictures.add(run.first)
          isReading = pictures.isReading
        }
        if isObserved {
          runs.append(run)
          if runs.count == batch {
            observer?.add(runs)
            runs.removeAll(keepingCapacity: true)
          }
        }
        // Tables of a few bytes can declare billions of samples that do not exist.
        guard tally.facts.missing < mostMissing else {
          throw SyntaxError(
            .limit, field: "samples", path: track.path, offset: track.located.node.start,
            detail: "are declared that the file cannot contain")
        }
      }
    } catch {
      failure = error
    }
    observer?.add(runs)
    observer?.end(failure)
    return (tally.closed, failure)
  }

  private init(fileEnd: Int) { self.fileEnd = fileEnd }

  private mutating func add(_ run: SampleRun) {
    let sample = run.first
    if let last = lastDuration { note(duration: last) }
    if run.count > 1 { note(duration: sample.duration) }
    lastDuration = sample.duration
    if sample.isSync {
      if facts.keyCount > 0 { facts.longestGroup = max(facts.longestGroup, facts.count - lastKey) }
      if run.count > 1 { facts.longestGroup = max(facts.longestGroup, 1) }
      lastKey = facts.count + run.count - 1
      facts.keyCount += run.count
    }
    facts.count += run.count
    facts.duration += sample.duration * Int64(run.count)
    facts.missing += missing(of: run)
    note(shown: run)
    // Bytes shared by several samples are counted for each; a sum beyond 2^63 is meaningless.
    let (size, isMuch) = sample.size.multipliedReportingOverflow(by: run.count)
    let (bytes, isMore) = facts.bytes.addingReportingOverflow(size)
    facts.bytes = isMuch || isMore ? .max : bytes
    facts.largest = max(facts.largest, sample.size)
  }

  private mutating func note(shown run: SampleRun) {
    let start = run.first.compositionTime
    let (end, isLate) = start.addingReportingOverflow(run.first.duration * Int64(run.count))
    guard !isLate, end >= start else { return }
    let shown = facts.shown ?? start..<end
    facts.shown = min(shown.lowerBound, start)..<max(shown.upperBound, end)
  }

  private mutating func note(duration: Int64) {
    facts.shortest = min(facts.shortest ?? duration, duration)
    facts.longest = max(facts.longest ?? duration, duration)
  }

  /// Returns the number of samples of a run that end past the end of the file.
  private func missing(of run: SampleRun) -> Int {
    if run.range.upperBound <= fileEnd { return 0 }
    let room = fileEnd - run.first.offset
    return room < 0 || run.first.size == 0 ? run.count : run.count - room / run.first.size
  }

  private var closed: SampleFacts {
    var facts = facts
    if facts.keyCount > 0 { facts.longestGroup = max(facts.longestGroup, facts.count - lastKey) }
    return facts
  }
}
