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

  func write(
    _ head: HTTPHead, _ status: Int, bytesIn: Int, bytesOut: Int, _ time: Duration
  ) {
    let line = line(
      for: head, status, bytesIn, bytesOut, time, at: WallClock.text(WallClock.seconds))
    guard let line else { return }
    writing.withLock { _ in
      let errors = DescriptorWriter(STDERR_FILENO, name: "standard error")
      do throws(FileError) {
        try errors.write(line)
        try errors.flush()
      } catch {}
    }
  }

  /// Returns the line for a request, with its end; `nil` if requests are not logged.
  func line(
    for head: HTTPHead, _ status: Int, _ bytesIn: Int, _ bytesOut: Int, _ time: Duration,
    at now: String
  ) -> String? {
    switch form {
    case .none: return nil
    case .text:
      let said = status == 0 ? "gone" : String(status)
      return "\(now) \(head.method.printable) \(head.path.printable) \(said) \(bytesOut) "
        + "\(time.inMilliseconds) ms \(head.id)\n"
    case .json:
      var json = JSONWriter("")
      json.object { json in
        json.field("time", now)
        json.field("method", head.method)
        json.field("path", head.path)
        json.field("status", status)
        json.field("bytes_in", bytesIn)
        json.field("bytes_out", bytesOut)
        json.key("seconds")
        json.number(((time / .seconds(1)) * 10_000).rounded() / 10_000)
        json.field("id", head.id)
      }
      json.endDocument()
      return json.output
    }
  }
}
