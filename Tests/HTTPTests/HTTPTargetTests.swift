// SPDX-License-Identifier: MIT

import Testing

@testable import ApusHTTP

@Suite struct HTTPTargetTests {
  @Test(arguments: [
    ("/", false), ("/health?a=%20b", false), ("/a%2F..%0Ab", false), ("/%100", false),
    ("/a b", true), (" ", true), ("/a%00", true), ("/%00/../x", true), ("/a?b=%00", true),
    ("/%2500", false), ("%", false), ("%0", false),
  ])
  func `it is faulty with a space or an escaped NUL`(_ text: String, _ isFaulty: Bool) {
    let target = unsafe text.withCString { unsafe HTTPTarget($0) }
    #expect(target.isFaulty == isFaulty)
  }

  /// The line as the parser leaves it, with a NUL where the first space was.
  @Test(arguments: [
    ("/health\0HTTP/1.1", false), ("\0HTTP/1.1", false), ("/a\0b\0HTTP/1.1", true),
    ("/health\0\0HTTP/1.1", true), ("/health\0HTTP/1.1\0/../x\0HTTP/1.1", true),
  ])
  func `it is cut where a NUL is before the version`(_ line: String, _ isCut: Bool) {
    unsafe line.withCString { text in
      let version = unsafe text + line.utf8.count - "HTTP/1.1".utf8.count
      #expect(unsafe HTTPTarget(text).isCut(before: version) == isCut)
    }
  }
}
