// SPDX-License-Identifier: MIT

import FLV
import TestSupport
import Testing

@testable import RTMP

@Suite struct MessageTests {
  @Test(arguments: [
    (ControlMessage.setChunkSize(65536), "00010000"), (.abort(chunkStreamID: 6), "00000006"),
    (.acknowledgement(.max), "ffffffff"), (.windowAcknowledgementSize(2_500_000), "002625a0"),
    (.setPeerBandwidth(2_500_000, limit: 2), "002625a0 02"),
    (.userControl(UserControl(.streamBegin, 1)), "0000 00000001"),
    (.userControl(UserControl(.setBufferLength, 1, milliseconds: 3000)), "0003 00000001 00000bb8"),
    (.userControl(UserControl(.pingResponse, 0x0102_0304)), "0007 01020304"),
  ])
  func `it reads and writes control messages`(message: ControlMessage, bytes: String) throws {
    #expect(try message.bytes() == hex(bytes))
    #expect(try ControlMessage(Message(message.type, payload: hex(bytes))) == message)
    for end in 0..<min(hex(bytes).count, 4) where message.type != .userControl {
      #expect(throws: (any Error).self) {
        try ControlMessage(Message(message.type, payload: Array(hex(bytes)[..<end])))
      }
    }
  }

  @Test func `it takes apart an aggregate, with times that begin at its own`() throws {
    let payload = hex(
      """
      08 000002 0003e8 00 000000 af01 0000000d
      09 000003 0003f9 00 000000 2701aa 0000000e
      08 000000 000410 00 000000
      """)
    let whole = Message(.aggregate, timestamp: 50, streamID: 1, payload: payload)
    #expect(
      try Aggregate.messages(in: whole) == [
        Message(.audio, timestamp: 50, streamID: 1, payload: hex("af01")),
        Message(.video, timestamp: 67, streamID: 1, payload: hex("2701aa")),
        Message(.audio, timestamp: 90, streamID: 1, payload: []),
      ])
    for end in 1..<12 {
      #expect(throws: (any Error).self) {
        try Aggregate.messages(in: Message(.aggregate, payload: Array(payload[..<end])))
      }
    }
  }

  @Test func `it reads a command in either form of AMF`() throws {
    let bytes = hex("02 0005 636c6f7365 00 4014000000000000 05 02 0001 61")
    let command = Command("close", 5, [.null, "a"])
    #expect(try Command(Message(.command, payload: bytes)) == command)
    #expect(try Command(Message(.commandAMF3, payload: [0] + bytes)) == command)
    #expect(try command.bytes() == bytes)
    #expect(throws: SessionError.self) { try Command(Message(.command, payload: [5])) }
  }

  @Test func `it strips what is for servers only`() {
    let metadata = hex("02 000a 6f6e4d65746144617461 05")
    let prefix = hex("02 000d 40736574446174614672616d65")
    var clock = TagClock()
    for message in [
      Message(.data, payload: prefix + metadata),
      Message(.dataAMF3, payload: [0] + prefix + metadata),
      Message(.data, payload: metadata),
    ] {
      #expect(ReceivedTag(message, clock: &clock)?.data == metadata)
    }
    let access = hex("02 0011 7c52746d7053616d706c65416363657373 01 00")
    #expect(ReceivedTag(Message(.data, payload: access), clock: &clock) == nil)
  }

  @Test func `it looks for capabilities in both objects, and knows nothing where there are none`() {
    let first = AMFValue.object([("fmsVer", "FMS/3,0,1,123"), ("capsEx", 13.0)])
    let second = AMFValue.object([
      ("videoFourCcInfoMap", .object([("hvc1", 7.0)])), ("fourCcList", .strictArray(["av01"])),
    ])
    let found = Capabilities([first, second])
    #expect(found?.extras == [.reconnect, .modEx, .nanoseconds])
    #expect(found?.video == ["hvc1": [.decode, .encode, .forward]])
    #expect(found?.takesVideo("av01") == true)
    #expect(found?.takesVideo("vvc1") == false)
    #expect(Capabilities([.null, .object([("level", "status")])]) == nil)
    #expect(Capabilities([.object([("capsEx", .number(.nan))])]) == nil)
  }
}
