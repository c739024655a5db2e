// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// An event of an input on its way from the thread that reads it.
enum InputEntry: QueueElement {
  /// The entries that follow belong to an input with these tracks, from its beginning.
  case begin(OpenedInput)
  case event(SourceEvent)
  /// The input has ended for good.
  case end(MediaError?)

  var bytes: Int {
    guard case .event(.sample(let sample)) = self else { return 0 }
    return sample.payload.count
  }
}

typealias InputQueue = BoundedQueue<InputEntry>

extension InputQueue {
  /// - Parameter capacity: the number of bytes that may wait.
  convenience init(capacity: Int = 16 << 20) { self.init(capacity: capacity, most: 4096) }
}
