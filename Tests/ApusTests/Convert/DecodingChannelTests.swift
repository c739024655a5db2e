// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import Glibc
import Testing

@testable import ApusCommand

struct DecodingChannelTests {
  /// Two rows of four samples of 10 bits.
  private static let format = PictureFormat(width: 4, height: 2, chroma: .monochrome, bitDepth: 10)

  /// Returns the picture that comes out of a pipe into which a process has written these samples.
  private static func received(_ samples: [UInt16]) throws -> [UInt16]? {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    let bytes = samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let writer = DescriptorWriter(ends[1], name: "a pipe")
    try DecodeReply.picture(format).send(to: writer)
    try writer.write(bytes.span)
    try writer.flush()
    close(ends[1])
    let channel = DecodingChannel(descriptor: ends[0])
    let reply = try #require(channel.receive(DecodeReply.self))
    #expect(reply.format == format)
    guard let picture = channel.receivePicture(format) else { return nil }
    return (0..<8).map { index in
      let row = unsafe picture.plane(0) + index / 4 * picture.strides[0]
      return unsafe row.load(fromByteOffset: 2 * (index % 4), as: UInt16.self)
    }
  }

  @Test func `it hands over a picture whose samples its format allows`() throws {
    let samples: [UInt16] = [0, 1, 2, 3, 1020, 1021, 1022, 1023]
    #expect(try Self.received(samples) == samples)
  }

  @Test(arguments: [
    [0, 1, 2, 3, 4, 5, 6, 1024], [0, 1, 2, 3, 4, 5, 6], [65535] + [UInt16](0..<7),
  ])
  func `it refuses samples that its format does not have, and too few`(_ samples: [UInt16]) throws {
    #expect(try Self.received(samples) == nil)
  }

  @Test(arguments: [
    (4, 4, 8), (0, 1, 8), (-1, 1, 8), (1 << 32, 1, 8), (4, 1, 7), (4, 1, 17),
  ])
  func `it knows no format that makes no sense`(_ width: Int, _ chroma: Int, _ depth: Int) throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let text = """
      {"picture":{"_0":{"width":\(width),"height":2,"chroma":\(chroma),"bitDepth":\(depth),"isRGB":false}}}
      """
    let bytes = [0, 0, 0, UInt8(text.utf8.count)] + text.utf8
    #expect(unsafe write(ends[1], bytes, bytes.count) == bytes.count)
    let reply = DecodingChannel(descriptor: ends[0]).receive(DecodeReply.self)
    #expect(reply?.format == nil)
    // Only a chroma format that does not exist cannot be read at all.
    #expect((reply == nil) == (chroma == 4))
  }
}
