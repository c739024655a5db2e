// SPDX-License-Identifier: MIT

import ApusMedia
import HEVC
import Testing

@testable import ApusTranscode

struct CaptionQueueTests {
  /// Valid packets of services with these numbers as their second bytes.
  private func captions(_ numbers: ClosedRange<UInt8>) -> [UInt8] {
    numbers.flatMap { [0xfe, 1, $0] }
  }

  private func time(_ value: Int64) -> RationalTime { RationalTime(value, per: 25) }

  private func numbers(_ packets: [CaptionData.Packet]) -> [UInt8] { packets.map(\.ccData2) }

  @Test func `it gives a picture its own packets with their padding`() throws {
    var queue = CaptionQueue()
    queue.add([0xfc, 0x94, 0x20, 0xfd, 0x80, 0x80, 0xfa, 0, 0], at: time(0))
    let packets = queue.next(at: time(0))
    #expect(packets.map(\.ccValid) == [true, true, false])
    #expect(packets.map(\.ccType) == [0, 1, 2])
    #expect(packets.map(\.ccData1) == [0x94, 0x80, 0])
    #expect(packets.allSatisfy { $0.oneBit && $0.reserved == 0b1111 })
    #expect(queue.next(at: time(0)).isEmpty)
  }

  @Test func `a picture that stands for several has what all of them say`() {
    var queue = CaptionQueue()
    // Padding: a line that says nothing, a packet that is not valid.
    queue.add([0xfc, 0x80, 0x80] + captions(1...2) + [0xfa, 7, 7], at: time(0))
    queue.add(captions(3...4), at: time(1))
    queue.add(captions(5...6), at: time(2))
    #expect(numbers(queue.next(at: time(1))) == [1, 2, 3, 4])
    #expect(numbers(queue.next(at: time(2))) == [5, 6])
  }

  @Test func `a picture that is repeated says nothing again`() {
    var queue = CaptionQueue()
    queue.add(captions(1...2), at: time(0))
    #expect(numbers(queue.next(at: RationalTime(0, per: 50))) == [1, 2])
    #expect(queue.next(at: RationalTime(1, per: 50)).isEmpty)
    queue.add(captions(3...3), at: time(1))
    #expect(numbers(queue.next(at: RationalTime(2, per: 50))) == [3])
  }

  @Test func `what a picture cannot hold comes with the next ones in its order`() {
    var queue = CaptionQueue()
    for place: UInt8 in 0..<4 {
      queue.add(captions(place * 20 + 1...place * 20 + 20), at: time(Int64(place)))
    }
    #expect(numbers(queue.next(at: time(3))) == Array(1...31))
    queue.add(captions(81...82), at: time(4))
    #expect(numbers(queue.next(at: time(4))) == Array(32...62))
    #expect(numbers(queue.next(at: time(5))) == Array(63...82))
    #expect(queue.next(at: time(6)).isEmpty)
  }

  @Test func `it passes over bytes that are no packet`() {
    var queue = CaptionQueue()
    queue.add([], at: time(0))
    queue.add([0xfe, 1], at: time(1))
    #expect(queue.next(at: time(1)).isEmpty)
    queue.add(captions(1...1) + [0xfe], at: time(2))
    #expect(numbers(queue.next(at: time(2))) == [1])
  }
}
