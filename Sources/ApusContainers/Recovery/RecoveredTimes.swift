// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples

/// The times of the samples of one track, which follow from their order and their rate, and from known times of some.
struct RecoveredTimes: Sendable {
  private let rate: SampleRate
  private let timescale: UInt32
  private let start: Int64
  /// The number of each sample in decoding order, with those that are lost.
  private var numbers: [Int] = []
  /// The number of each picture in output order; empty if it is the same.
  private var places: [Int] = []
  /// The number of pictures by which decoding precedes presentation.
  private var delay = 0
  /// The numbers and times of samples between which the rate is not the usual one; rising.
  private var fixed: [(number: Int, time: Int64)] = []

  /// - Parameter known: the times at which some of the samples are decoded.
  init(_ samples: [FoundSample], of track: RecoverableTrack, known: SoundClock.Times? = nil) {
    rate = track.rate
    timescale = track.coded.timescale
    start = track.start
    numbers.reserveCapacity(samples.count)
    var number = 0
    for sample in samples {
      number += sample.lost
      numbers.append(number)
      number += sample.count
    }
    guard case .pictures = track.structure else { return }
    places = [Int](repeating: 0, count: samples.count)
    var order = OutputOrder()
    for sample in samples {
      place(
        order.add(
          sample.orderCount, startsSequence: sample.startsSequence, OutputOrder.Bounds()))
    }
    let last = order.flush()
    place(last)
    spread(last.map(\.index), samples)
    delay = zip(numbers, places).reduce(0) { max($0, $1.0 - $1.1) }
    if let known { fix(known) }
  }

  private mutating func fix(_ known: SoundClock.Times) {
    fixed = [(0, 0)]
    for (number, seconds) in smoothed(known) {
      guard let time = Int64(exactly: (seconds * Double(timescale)).rounded()),
        number - delay > fixed[fixed.count - 1].number, time > fixed[fixed.count - 1].time
      else { continue }
      fixed.append((number - delay, time))
    }
    // The last pictures that are shown go on at the last rate.
    let span = Int64(Self.mostSpan * Double(timescale))
    let end = fixed[fixed.count - 1]
    if let earlier = fixed.last(where: { end.time &- $0.time >= span }) {
      fixed.append((2 &* end.number &- earlier.number, 2 &* end.time &- earlier.time))
    }
  }

  /// Returns times that deviate from a constant rate as much as nearby ones on average: the samples of sound are about
  /// as long as pictures. None is changed by more than half of what it may be wrong, because rates also change at once.
  private func smoothed(_ known: SoundClock.Times) -> [(number: Int, seconds: Double)] {
    let times = known.pictures.map(\.seconds)
    let usual = known.pictures.map { rate.seconds(of: numbers[$0.index], per: timescale) }
    return times.indices.map { index in
      let most = min(index, times.count - 1 - index, Self.mostNeighbors)
      let reach = (0..<most).prefix {
        times[index + $0 + 1] - times[index - $0 - 1] <= Self.mostSpan
      }.count
      let near = index - reach...index + reach
      let mean = near.reduce(0) { $0 + times[$1] - usual[$1] } / Double(near.count)
      let change = usual[index] + mean - times[index]
      let seconds = times[index] + max(min(change, known.error / 2), -known.error / 2)
      return (numbers[known.pictures[index].index], seconds)
    }
  }

  /// Returns the time of a sample by its number.
  private func time(of number: Int) -> Int64 {
    var (next, end) = (0, fixed.count)
    while next < end {
      let middle = (next + end) / 2
      if fixed[middle].number > number { end = middle } else { next = middle + 1 }
    }
    guard next > 0 else { return rate.time(of: number) }
    let last = fixed[next - 1]
    guard next < fixed.count else {
      return last.time &+ rate.time(of: number) &- rate.time(of: last.number)
    }
    let part = Double(number - last.number) / Double(fixed[next].number - last.number)
    let distance = part * (Double(fixed[next].time) - Double(last.time))
    return last.time &+ (Int64(exactly: distance.rounded()) ?? 0)
  }

  private mutating func place(_ placed: [OutputOrder.Placed]) {
    // Pictures that are lost before one in decoding order are lost before it in output order, too.
    for picture in placed {
      places[picture.index] = picture.place + numbers[picture.index] - picture.index
    }
  }

  /// Leaves room between the last pictures for those that are missing after them in decoding order, but are shown
  /// before them.
  ///
  /// - Parameter last: the pictures for which no others were left to wait, in output order.
  private mutating func spread(_ last: [Int], _ samples: [FoundSample]) {
    guard let first = last.min(), let step = Self.step(of: samples) else { return }
    // The picture that is shown before them, if it is of the same sequence.
    let start = samples[..<first].lastIndex(where: \.startsSequence) ?? 0
    let before = samples[..<first].indices.filter { $0 >= start }.max {
      places[$0] < places[$1]
    }
    var previous = before
    for index in last {
      if samples[index].startsSequence { previous = nil }
      if let previous {
        let distance = (samples[index].orderCount - samples[previous].orderCount) / step
        if 2...Self.mostMissing ~= distance {
          places[index] = max(places[index], places[previous] + distance)
        } else {
          places[index] = max(places[index], places[previous] + 1)
        }
      }
      previous = index
    }
  }

  /// Returns the usual distance of the order counts of consecutive pictures; `nil` if there are too few.
  private static func step(of samples: [FoundSample]) -> Int? {
    var steps: [Int: Int] = [:]
    var sequence: [Int] = []
    func count() {
      sequence.sort()
      for (earlier, later) in zip(sequence, sequence.dropFirst()) where later > earlier {
        steps[later - earlier, default: 0] += 1
      }
      sequence = []
    }
    for sample in samples.prefix(mostPictures) {
      if sample.startsSequence { count() }
      sequence.append(sample.orderCount)
    }
    count()
    return steps.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  private static let mostMissing = OutputOrder.most
  private static let mostNeighbors = 16
  /// The longest time, in seconds, in which the rate is taken to be the same.
  private static let mostSpan = 0.5
  private static let mostPictures = 1024

  /// Returns when a sample is decoded and shown, and how long it lasts.
  ///
  /// - Parameter count: the number of samples that it combines.
  func times(of index: Int, count: Int) -> (
    decode: RationalTime, shown: RationalTime, duration: RationalTime
  ) {
    let number = numbers[index] - delay
    let decode = time(of: number)
    let shown = time(of: places.isEmpty ? number : places[index])
    let duration = time(of: number + count) &- decode
    return (
      RationalTime(start &+ decode, per: timescale), RationalTime(start &+ shown, per: timescale),
      RationalTime(duration, per: timescale)
    )
  }
}
