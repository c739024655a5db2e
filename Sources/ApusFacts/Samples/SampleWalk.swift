// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// The facts about a track of a source, gathered by reading all its samples.
struct SampleWalk {
  private(set) var samples = SampleFacts()
  private(set) var pictures: PictureCounter
  private let timescale: UInt32
  private var lastKey = 0
  private var lastTime: Int64?
  /// The presentation times of the first and the last sample.
  private var shown: ClosedRange<Int64>?
  /// The duration of the last sample; if it has none, that of the previous one.
  private var lastDuration: Int64 = 0

  init(_ track: CodedTrack) {
    timescale = track.timescale
    if case .hevc(let record) = track.format {
      pictures = PictureCounter(record, headers: HeadersReader())
    } else {
      pictures = PictureCounter()
    }
  }

  mutating func add(_ sample: CodedSample) {
    let time = sample.decodeTime.rounded(to: timescale) ?? lastTime ?? 0
    if let lastTime {
      let step = max(time.subtractingReportingOverflow(lastTime).partialValue, 0)
      samples.shortest = min(samples.shortest ?? step, step)
      samples.longest = max(samples.longest ?? step, step)
      lastDuration = step
    }
    lastTime = time
    let shownTime = sample.presentationTime.rounded(to: timescale) ?? time
    let range = shown ?? shownTime...shownTime
    shown = min(range.lowerBound, shownTime)...max(range.upperBound, shownTime)
    if let own = sample.duration?.rounded(to: timescale) {
      lastDuration = own.multipliedReportingOverflow(by: Int64(sample.count)).partialValue
    }
    if sample.isSync {
      if samples.keyCount > 0 {
        samples.longestGroup = max(samples.longestGroup, samples.count - lastKey)
      }
      lastKey = samples.count
      samples.keyCount += 1
    }
    samples.count += sample.count
    samples.bytes += sample.payload.count
    samples.largest = max(samples.largest, sample.payload.count)
    pictures.add(sample)
  }

  /// Returns the walk with the facts that are known only at its end.
  func ended() -> SampleWalk {
    var walk = self
    walk.samples.duration = span.addingReportingOverflow(lastDuration).partialValue
    if samples.keyCount > 0 {
      walk.samples.longestGroup = max(samples.longestGroup, samples.count - lastKey)
    }
    return walk
  }

  /// The distance from the first sample that is shown to the last.
  private var span: Int64 {
    shown.map { max($0.upperBound.subtractingReportingOverflow($0.lowerBound).partialValue, 0) }
      ?? 0
  }

  // MARK: - Rate

  /// Returns the frame rate that explains the times of the samples, each rounded to a unit of the clock; `nil` if there
  /// is none, or several usual ones fit.
  ///
  /// - Parameter stated: the frame rate in the parameter sets.
  func rate(stated: FrameRate?, timescale: UInt32) -> FrameRate? {
    guard let shortest = samples.shortest, let longest = samples.longest, shortest > 0,
      longest - shortest <= 2
    else { return nil }
    let fits = { (rate: FrameRate) -> Bool in
      let exact = Double(samples.count - 1) * Double(timescale) / rate.framesPerSecond
      return abs(exact - Double(span)) <= 1
    }
    if let stated, fits(stated) { return stated }
    let usual = Self.usualRates.filter(fits)
    return usual.count == 1 ? usual[0] : nil
  }

  private static let usualRates: [FrameRate] = [
    (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (48, 1), (50, 1), (60000, 1001),
    (60, 1), (72, 1), (75, 1), (90, 1), (100, 1), (120000, 1001), (120, 1), (144, 1), (240, 1),
    (10, 1), (12, 1), (15, 1), (20, 1),
  ].compactMap { FrameRate($0.0, $0.1) }
}
