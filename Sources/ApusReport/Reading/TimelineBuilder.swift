// SPDX-License-Identifier: MIT

/// Gathers the samples of one track as they come, in constant memory.
struct TimelineBuilder {
  private var timeline: Timeline
  private let timescale: Double
  private var sizes = SampleBins()
  private var rates: RateBins
  private var places = PlaceSampler()
  private var steps: [Int64: Int] = [:]
  private var otherSteps = 0
  private var lastTime: Int64?
  private var firstTime: Int64 = 0
  private var lastKeyTime: Double?
  private var end = 0.0
  /// The number of missing pictures, according to their times.
  private var drops: RateBins
  private let countsDrops: Bool
  /// The most common step so far.
  private var usual: Int64 = 0

  private static let mostSteps = 64
  private static let mostGaps = 40
  private static let mostDistances = 400
  private static let mostDelays = 240
  private static let mostEvents = 200

  /// - Parameter isRecording: whether it is a recorded live stream, of which pictures may be missing.
  init(
    _ name: String, isVideo: Bool, timescale: UInt32, anchor: String? = nil,
    isRecording: Bool = false
  ) {
    timeline = Timeline(name, isVideo: isVideo)
    timeline.anchor = anchor
    self.timescale = Double(max(timescale, 1))
    rates = RateBins(window: 1)
    drops = RateBins(window: 1)
    countsDrops = isRecording && isVideo
  }

  /// - Parameters:
  ///   - time: the decoding time, in units of the track.
  ///   - delay: the time from decoding to presentation.
  ///   - duration: the duration; `nil` if it follows only from the next sample.
  @inline(__always)
  mutating func add(
    size: Int, time: Int64, delay: Int64, duration: Int64?, isKey: Bool, offset: Int?,
    type: Timeline.PictureType? = nil, count: Int = 1
  ) {
    if timeline.count == 0 { firstTime = time }
    let seconds = Double(time &- firstTime) / timescale
    // If the durations of samples are given in tables, the last one counts too.
    if let last = lastTime {
      let step = time &- last
      if step == usual, timeline.count > 1 { runs &+= 1 } else { note(step: step, seconds) }
    }
    lastTime = time
    if count > 1, let duration { lastTime = time &+ duration &* Int64(count - 1) }
    sizes.add(size: size, time: seconds, isKey: isKey, type: type, count: count)
    rates.add(size &* count, at: seconds)
    if isKey, timeline.isVideo {
      timeline.keys += 1
      if let before = lastKeyTime, timeline.keyDistances.count < Self.mostDistances {
        timeline.keyDistances.append(seconds - before)
      }
      lastKeyTime = seconds
    }
    if let offset { places.add(seconds, offset) }
    if timeline.isVideo, timeline.delays.count < Self.mostDelays {
      timeline.delays.append(Double(delay) / timescale)
    }
    if type != nil { timeline.typed += 1 }
    timeline.count += count
    timeline.bytes = timeline.bytes &+ size &* count
    end = max(end, seconds + Double((duration ?? usual) &* Int64(count)) / timescale)
  }

  /// The number of usual steps since the last count.
  private var runs = 0

  private mutating func note(step: Int64, _ seconds: Double) {
    if runs > 0 {
      steps[usual, default: 0] += runs
      runs = 0
    }
    if steps.count < Self.mostSteps || steps[step] != nil {
      steps[step, default: 0] += 1
    } else {
      otherSteps += 1
    }
    let typical = usual
    if countsDrops { drops.add(missing(in: step), at: seconds) }
    if usual == 0 || (steps[step] ?? 0) > (steps[usual] ?? 0) { usual = step }
    guard typical > 0, step > 3 * typical, Double(step) / timescale > 0.2 else { return }
    guard timeline.gaps.count < Self.mostGaps else {
      timeline.omittedGaps += 1
      return
    }
    timeline.gaps.append(
      Timeline.Gap(
        time: seconds - Double(step) / timescale, length: Double(step) / timescale,
        sample: timeline.count))
  }

  /// Returns the number of pictures missing in a step. Times are rounded, so that steps have the right length only on
  /// average.
  private func missing(in step: Int64) -> Int {
    guard usual > 0, step > usual + usual / 2 else { return 0 }
    let near = steps.filter { isUsual($0.key) }
    let count = near.values.reduce(runs, +)
    let sum = near.reduce(usual * Int64(runs)) { $0 + $1.key * Int64($1.value) }
    guard count > 0, sum > 0 else { return 0 }
    let length = Double(sum) / Double(count)
    let whole = (Double(step) / length).rounded()
    return abs(Double(step) - whole * length) <= max(length / 4, whole) ? Int(whole) - 1 : 0
  }

  private func isUsual(_ step: Int64) -> Bool { abs(step - usual) <= max(usual / 10, 1) }

  /// Adds an event of the stream before the sample that follows.
  mutating func note(_ kind: Timeline.Event.Kind, at time: Int64) {
    guard timeline.events.count < Self.mostEvents else { return }
    let seconds = timeline.count == 0 ? 0 : Double(time &- firstTime) / timescale
    timeline.events.append(Timeline.Event(kind: kind, time: seconds))
  }

  /// Returns whether nearly all steps equal the usual one, so that a longer one proves that pictures are missing.
  private func isRegular(_ steps: [Int64: Int]) -> Bool {
    let near = steps.filter { isUsual($0.key) }.values.reduce(0, +)
    return 10 * near >= 8 * (steps.values.reduce(0, +) + otherSteps)
  }

  func finished(pictures: [Timeline.Picture] = []) -> Timeline {
    var timeline = timeline
    timeline.sizes = sizes.bins
    timeline.samplesPerBin = sizes.perBin
    timeline.duration = end
    timeline.window = rates.window
    timeline.rates = rates.bytes.map { Double($0) * 8 / rates.window }
    // The last window ends with the track.
    if let last = timeline.rates.indices.last {
      let length = end - Double(last) * rates.window
      if length > 0, length < rates.window { timeline.rates[last] *= rates.window / length }
    }
    var steps = steps
    if runs > 0 { steps[usual, default: 0] += runs }
    timeline.start = Double(firstTime) / timescale
    if countsDrops, isRegular(steps), drops.bytes.contains(where: { $0 > 0 }) {
      timeline.drops = drops.joined(to: rates)
    }
    let sorted = steps.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    timeline.durations = sorted.prefix(6).map {
      Timeline.Duration(seconds: Double($0.key) / timescale, count: $0.value)
    }
    timeline.otherDurations = otherSteps + sorted.dropFirst(6).reduce(0) { $0 + $1.value }
    timeline.places = places.points
    timeline.pictures = pictures
    return timeline
  }
}

/// Keeps every n-th point, with n growing over time.
private struct PlaceSampler {
  private(set) var points: [(time: Double, offset: Int)] = []
  private var every = 1
  private var left = 0
  private static let most = 256

  @inline(__always)
  mutating func add(_ time: Double, _ offset: Int) {
    guard left == 0 else {
      left -= 1
      return
    }
    if points.count == Self.most {
      points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
      every *= 2
    }
    points.append((time, offset))
    left = every - 1
  }
}
