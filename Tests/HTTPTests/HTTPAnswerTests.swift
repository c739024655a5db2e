// SPDX-License-Identifier: MIT

import ApusFiles
import TestSupport
import Testing

@testable import ApusHTTP

@Suite struct HTTPAnswerTests {
  @Test func `it counts the bytes of its body`() throws {
    let spool = try SpoolSource()
    _ = try spool.append([1, 2, 3].span)
    let folder = try TestFolder()
    try folder.write("0123456789", to: "file")
    let file = try FileSource(folder.file("file"))
    let bodies: [(HTTPAnswer.Body, Int)] = [
      (.bytes([]), 0), (.bytes([1, 2]), 2), (.file(spool), 3),
      (.stretch(FileStretch(file, 2..<9)), 7), (.stretch(FileStretch(file, 10..<10)), 0),
    ]
    for (body, count) in bodies { #expect(HTTPAnswer(200, "text/plain", body).count == count) }
  }

  @Test func `it has the type of its body, if there is one`() {
    let answer = HTTPAnswer(200, "text/plain", .bytes([1]))
    #expect(answer.headers.map(\.name) == ["Content-Type"])
    #expect(answer.headers.map(\.value) == ["text/plain"])
    let empty = HTTPAnswer(304)
    #expect(empty.headers.isEmpty)
    #expect((empty.status, empty.count) == (304, 0))
  }
}
