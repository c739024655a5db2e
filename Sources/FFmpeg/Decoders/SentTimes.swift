// SPDX-License-Identifier: MIT

/// Times of samples that a decoder has, and has not given a picture for.
struct SentTimes {
  /// A heap that was sorted once a picture would be slower: a decoder holds few.
  private var pending: [Int64] = []
  private var last: Int64 = 0

  mutating func add(_ time: Int64) { pending.append(time) }

  /// The time of the picture that is expected next.
  var next: Int64 { pending.min() ?? last }

  /// Removes times up to one: pictures come in order, and what is earlier will not come any more.
  mutating func remove(upTo time: Int64) {
    last = time
    pending.removeAll { $0 <= time }
  }
}
