// SPDX-License-Identifier: MIT

/// Samples of a track, by their numbers from 1 or by their times: `12`, `12-20`, `1m30s`, `1m30s-1m32s`.
struct SampleRange: ArgumentValue {
  private enum Bounds {
    case all
    case numbers(ClosedRange<Int>)
    /// The times in seconds.
    case times(ClosedRange<Double>)
  }

  private let bounds: Bounds
  let argument: String

  static let all = SampleRange()

  private init() {
    bounds = .all
    argument = "all"
  }

  init?(argument: String) {
    self.argument = argument
    guard argument != "all" else {
      bounds = .all
      return
    }
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let last = parts.last, parts.count <= 2 else { return nil }
    if let from = Int(first), let to = Int(last) {
      guard from > 0, from <= to else { return nil }
      bounds = .numbers(from...to)
    } else if let from = MediaTime(argument: first), let to = MediaTime(argument: last),
      from.milliseconds <= to.milliseconds
    {
      bounds = .times(Double(from.milliseconds) / 1000...Double(to.milliseconds) / 1000)
    } else {
      return nil
    }
  }

  static var expected: String { "samples such as 12, 1-25, 1m30s or 90s-95s" }

  var isAll: Bool {
    if case .all = bounds { true } else { false }
  }

  /// Whether the samples are selected by times.
  var isTimes: Bool {
    if case .times = bounds { true } else { false }
  }

  /// The number of the last sample; `nil` if it is unknown.
  var last: Int? {
    if case .numbers(let numbers) = bounds { numbers.upperBound } else { nil }
  }

  /// Returns whether a sample is selected.
  ///
  /// - Parameters:
  ///   - number: its number from 1.
  ///   - time: the time in seconds at which it is presented.
  func contains(_ number: Int, at time: Double = 0, for duration: Double = 0) -> Bool {
    switch bounds {
    case .all: true
    case .numbers(let numbers): numbers.contains(number)
    case .times(let times):
      time + duration > times.lowerBound
        && (time < times.upperBound || time <= times.lowerBound)
    }
  }
}
