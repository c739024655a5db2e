// SPDX-License-Identifier: MIT

/// The times of samples for which a decoder has not returned a picture yet.
struct SentTimes {
  /// Unsorted, because a decoder holds few: a heap would be slower.
  private var pending: [Int64] = []
  private var last: Int64 = 0

  mutating func add(_ time: Int64) { pending.append(time) }

  /// The time of the picture that is expected next.
  var next: Int64 { pending.min() ?? last }

  /// Removes times up to the given one: pictures come in order, so earlier ones will not come any more.
  mutating func remove(upTo time: Int64) {
    last = time
    pending.removeAll { $0 <= time }
  }
}
