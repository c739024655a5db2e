// SPDX-License-Identifier: MIT

import ApusBytes
import ApusThreads
import ApusTransport
import FLV
import RTMP
import Synchronization

/// Publishing over loopback, each side on a thread of its own, as fast as the receiver takes it.
func benchRTMP() throws {
  for (name, size) in [("1 KB", 1 << 10), ("100 KB", 100_000), ("1 MB", 1 << 20)] {
    var calls = 0
    let bytes = max(min(size << 12, 2 << 30), 256 << 20)
    let seconds = try median(runs: 5) { calls = try publish(bytes, inFramesOf: size) }
    report("publish frames of \(name)", Double(bytes) / seconds / 1e9, "GB/s")
    report("publish frames of \(name)", Double(bytes / size) / seconds / 1e3, "k tags/s")
    report("system calls for frames of \(name)", Double(calls), "")
  }
}

/// Sends so many bytes, and returns how many system calls that took.
private func publish(_ bytes: Int, inFramesOf size: Int) throws -> Int {
  let count = bytes / size
  let serving = try EventLoop()
  var received = 0
  let listener = try Listener(
    host: "127.0.0.1", port: 0, ServerConfiguration(), on: serving
  ) { link, event in
    switch event {
    case .request: link.accept()
    case .tag: received += 1
    case .ended: serving.stop()
    default: break
    }
  }
  let port = listener.port
  let calls = Atomic(0)
  let thread = Thread {
    guard let loop = try? EventLoop() else { return }
    let address = Address(host: "127.0.0.1", port: port, app: "live", key: StreamKey("bench"))
    let payload = Extent([UInt8](repeating: 0x5a, count: size - 5))
    var sent = 0
    let fill = { (link: ClientLink) in
      while sent < count, link.queued < 1 << 20 {
        var tags: [OutgoingTag] = []
        repeat {
          tags.append(
            OutgoingTag(.video, time: Int64(sent), head: [0xa1, 1, 2, 3, 4], payload: payload))
          sent += 1
        } while sent < count && tags.count * size < 1 << 17
        do {
          try link.send(tags)
        } catch { return print(error) }
      }
      if sent == count { link.end() }
    }
    let link = ClientLink(ClientConfiguration(address, for: .publish), on: loop) { link, event in
      switch event {
      case .state(.running), .drained: fill(link)
      case .ended(let error):
        if let error { print(error) }
        calls.store(link.systemCalls, ordering: .relaxed)
        loop.stop()
      default: break
      }
    }
    link.open()
    loop.run()
  }
  guard let thread else { throw Lost(received: 0, of: count) }
  serving.run()
  thread.join()
  listener.close()
  guard received == count else { throw Lost(received: received, of: count) }
  return calls.load(ordering: .relaxed)
}

private struct Lost: Error {
  var received: Int
  var of: Int
}
