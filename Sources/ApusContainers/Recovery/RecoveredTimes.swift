// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples

/// The times of the samples of one track, which follow from their order and their rate.
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

  init(_ samples: [FoundSample], of track: RecoverableTrack) {
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
  private static let mostPictures = 1024

  /// Returns when a sample is decoded and shown, and how long it lasts.
  ///
  /// - Parameter count: the number of samples that it combines.
  func times(of index: Int, count: Int) -> (
    decode: RationalTime, shown: RationalTime, duration: RationalTime
  ) {
    let number = numbers[index] - delay
    let decode = rate.time(of: number)
    let shown = rate.time(of: places.isEmpty ? number : places[index])
    let duration = rate.time(of: number + count) - decode
    return (
      RationalTime(start &+ decode, per: timescale), RationalTime(start &+ shown, per: timescale),
      RationalTime(duration, per: timescale)
    )
  }
}
