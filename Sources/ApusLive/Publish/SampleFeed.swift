// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples
internal import ApusThreads

/// An item of a stream, or its end.
enum StreamEntry: QueueElement {
  case item(StreamItem)
  case end(SourceEnd)

  var bytes: Int { if case .item(let item) = self { item.bytes } else { 0 } }
}

/// The reason for which a source ended.
enum SourceEnd: Hashable, Sendable {
  case complete
  case failed(MediaError)
}

/// The entries of a source, which its own thread reads ahead of the one that sends them. Waiting for a disk or a pipe
/// therefore does not block anything else.
typealias SampleFeed = BoundedQueue<StreamEntry>

extension SampleFeed {
  convenience init() { self.init(capacity: 2 << 20, most: 2048) }

  /// Reads a source to its end on its own thread.
  func start(_ source: any SampleSource & Sendable) {
    let isStarted = Thread.start { [self] in put(.end(fill(from: source))) }
    if !isStarted { put(.end(.failed(MediaError(.io, of: .part("thread"), "cannot be created")))) }
  }

  private func fill(from source: any SampleSource) -> SourceEnd {
    var source = source
    var reader = ItemReader(source.tracks)
    do {
      while let event = try source.next() {
        guard let item = try reader.item(event) else { continue }
        guard put(.item(item)) else { break }
      }
      return .complete
    } catch {
      return .failed(MediaError(error))
    }
  }
}
