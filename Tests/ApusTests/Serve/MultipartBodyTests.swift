// SPDX-License-Identifier: MIT

import Testing

@testable import ApusCommand

/// Bodies of several files: RFC 2046, 5.1.
@Suite struct MultipartBodyTests {
  @Test func `a reader of multipart bodies finds the files`() throws {
    let files: [[UInt8]] = [
      Array("one".utf8), [], Array("\r\n--apus-\r\n".utf8), [0, 255, 13, 10],
    ]
    let body = MultipartBody(files)
    var bytes: [UInt8] = []
    for (number, file) in files.enumerated() {
      let head = body.head([("Content-Type", "image/jpeg"), ("Number", "\(number)")])
      bytes += Array(head.utf8) + file + Array("\r\n".utf8)
    }
    bytes += Array(body.end.utf8)

    let type = MultipartBody.type(ofBodyWith: Array(bytes.prefix(128)))
    let boundary = try #require(
      type.wholeMatch(of: /multipart\/mixed; boundary=([a-z0-9-]{1,70})/)?.1)
    // The first delimiter may lack its line break.
    let delimiter = Array("\r\n--\(boundary)".utf8)
    let pieces = (Array("\r\n".utf8) + bytes).split(separator: delimiter).map(Array.init)
    #expect(pieces.count == files.count + 1)
    #expect(pieces.last == Array("--\r\n".utf8))
    for (number, (piece, file)) in zip(pieces, files).enumerated() {
      let head = Array("\r\nContent-Type: image/jpeg\r\nNumber: \(number)\r\n\r\n".utf8)
      #expect(piece == head + file)
    }
  }

  @Test func `its boundary depends on its files, and is in none of them`() {
    let files: [[[UInt8]]] = [[], [[1]], [[2]], [[1], [2]], [Array("apus-".utf8)]]
    let boundaries = files.map { MultipartBody($0).boundary }
    #expect(Set(boundaries).count == files.count)
    #expect(files.map { MultipartBody($0).boundary } == boundaries)
  }

  @Test(arguments: ["", "-", "--"])
  func `a body that is cut off has a type`(_ text: String) {
    #expect(MultipartBody.type(ofBodyWith: Array(text.utf8)) == "multipart/mixed; boundary=")
  }
}
