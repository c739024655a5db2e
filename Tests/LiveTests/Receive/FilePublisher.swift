// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusTransport
import FLV
import RTMP
import TestSupport

/// Publishes the tags of a Flash Video file as they are, as soon as it may.
final class FilePublisher {
  let tags: [OutgoingTag]
  private(set) var link: ClientLink?
  /// The last event.
  private(set) var outcome: SessionError?
  /// What to do once the stream was taken; without it everything is sent, and the stream is ended.
  var onRunning: ((FilePublisher) -> Void)?

  init(_ name: String) throws {
    var reader = try TagReader(try Fixture.source(name))
    var tags: [OutgoingTag] = []
    while let tag = try reader.nextTag() {
      let data = try reader.source.bytes(in: tag.data)
      tags.append(OutgoingTag(tag.header.type, time: tag.time, head: data))
    }
    self.tags = tags
  }

  init(_ tags: [OutgoingTag]) { self.tags = tags }

  func open(_ url: String, on loop: EventLoop, _ onEnd: @escaping () -> Void = {}) throws {
    let configuration = ClientConfiguration(try Address(url), for: .publish)
    let link = ClientLink(configuration, on: loop) { [self] _, event in
      switch event {
      case .state(.running): if let onRunning { onRunning(self) } else { finish() }
      case .ended(let error):
        outcome = error
        onEnd()
      default: break
      }
    }
    self.link = link
    link.open()
  }

  func send(_ range: Range<Int>) {
    // A link that is gone says so by its last event.
    do throws(SessionError) { try link?.send(Array(tags[range])) } catch {}
  }

  func finish() {
    send(tags.indices)
    link?.end()
  }
}
