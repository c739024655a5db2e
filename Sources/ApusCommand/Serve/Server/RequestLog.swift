// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import ApusJSON
import Glibc
import Synchronization

/// Writes a line on standard error for each request. Keys are never included.
final class RequestLog: Sendable {
  enum Form: String, CaseIterable, ArgumentValue {
    case text, json, none
  }

  private let form: Form
  private let writing = Mutex(())

  init(_ form: Form) { self.form = form }

  func write(_ head: HTTPHead, _ status: Int, _ bytes: Int, _ time: Duration) {
    guard form != .none else { return }
    var line: String
    if form == .json {
      var json = JSONWriter("")
      json.object { json in
        json.field("time", WallClock.text(WallClock.seconds))
        json.field("method", head.method)
        json.field("path", head.path)
        json.field("status", status)
        json.field("bytes_in", head.contentLength ?? 0)
        json.field("bytes_out", bytes)
        json.key("seconds")
        json.number(((time / .seconds(1)) * 10_000).rounded() / 10_000)
        json.field("id", head.id)
      }
      json.endDocument()
      line = json.output
    } else {
      let said = status == 0 ? "gone" : String(status)
      line =
        "\(WallClock.text(WallClock.seconds)) \(head.method) \(head.path.printable) \(said) \(bytes) "
        + "\(time.inMilliseconds) ms \(head.id)\n"
    }
    writing.withLock { _ in
      let errors = DescriptorWriter(STDERR_FILENO, name: "standard error")
      do throws(FileError) {
        try errors.write(line)
        try errors.flush()
      } catch {}
    }
  }
}
