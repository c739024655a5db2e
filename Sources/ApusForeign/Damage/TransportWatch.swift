// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Checks the headers of the packets of a transport stream: ISO/IEC 13818-1, 2.4.3.2 to 2.4.3.7.
struct TransportWatch: ContainerWatch {
  /// The kinds of faults, in the order in which they are reported.
  private enum Fault: Int, CaseIterable {
    case sync, error, scrambled, malformed, gap, start
  }

  private struct Tally {
    var count = 0
    var first = 0
  }

  /// The distance between packets, and the position of the sync byte in each; `nil` until they are known.
  private var form: (size: Int, sync: Int)?
  /// The offset of the next packet to be checked.
  private var next = 0
  /// The bytes from `next` on, which are not a whole packet yet.
  private var pending: [UInt8] = []
  private var tallies = Array(repeating: Tally(), count: Fault.allCases.count)
  /// The last counter of each PID, `none` before the first.
  private var counters = [UInt8](repeating: Self.none, count: 0x2000)
  /// Whether packets of a PID carry PES packets.
  private var isElementary = [Bool](repeating: false, count: 0x2000)
  /// The number of program association tables so far, and their number at the last packet of each PID.
  private var tables: UInt32 = 0
  private var seen = [UInt32](repeating: 0, count: 0x2000)
  private var isLost = false
  private var rest = 0

  private static let none: UInt8 = 0xff
  private static let least = 204 * 4

  mutating func look(at bytes: Span<UInt8>, from offset: Int) {
    let start = next + pending.count
    guard offset <= start, offset + bytes.count > start else { return }
    var fresh = bytes.extracting((start - offset)..<bytes.count)
    if !pending.isEmpty || form == nil {
      // Once the packets are known, only the incomplete one is assembled here.
      let lacking = (form?.size).map { max(0, $0 - pending.count) } ?? fresh.count
      let count = min(lacking, fresh.count)
      let part = fresh.extracting(0..<count)
      unsafe part.withUnsafeBufferPointer { unsafe pending.append(contentsOf: $0) }
      fresh = fresh.extracting(count..<fresh.count)
      let held = pending
      pending = []
      look(at: held.span)
    }
    if !fresh.isEmpty { look(at: fresh) }
  }

  /// Checks packets from `next` on, and keeps the remaining bytes.
  private mutating func look(at bytes: Span<UInt8>) {
    if form == nil, bytes.count >= Self.least { form = Self.form(of: bytes) ?? (0, 0) }
    var place = 0
    if let form, form.size > 0 {
      while place + form.size <= bytes.count {
        look(
          at: bytes.extracting((place + form.sync)..<(place + form.sync + 188)), next + form.sync)
        place += form.size
        next += form.size
      }
    } else if form != nil {
      // This is not a transport stream that begins with a packet; nothing of it is kept.
      next += bytes.count
      return
    }
    let left = bytes.extracting(place..<bytes.count)
    unsafe left.withUnsafeBufferPointer { unsafe pending.append(contentsOf: $0) }
  }

  private static func form(of bytes: Span<UInt8>) -> (Int, Int)? {
    [(188, 0), (192, 4), (204, 0)].first { size, sync in
      (0..<4).allSatisfy { bytes[$0 * size + sync] == 0x47 }
    }
  }

  private mutating func look(at packet: Span<UInt8>, _ offset: Int) {
    guard packet[0] == 0x47 else {
      if !isLost { add(.sync, offset) }
      isLost = true
      return
    }
    isLost = false
    let pid = Int(bigEndianBytes: packet, at: 1, count: 2) & 0x1fff
    if packet[1] & 0x80 != 0 { return add(.error, offset) }
    // Null packets have no counter.
    guard pid != 0x1fff else { return }
    if packet[3] & 0xc0 != 0 { add(.scrambled, offset) }
    let hasField = packet[3] & 0x20 != 0
    let hasPayload = packet[3] & 0x10 != 0
    let length = hasField ? Int(packet[4]) : 0
    guard hasField || hasPayload, length <= (hasPayload ? 182 : 183) else {
      return add(.malformed, offset)
    }
    let isNew = hasField && length > 0 && packet[5] & 0x80 != 0
    let (last, counter) = (counters[pid], packet[3] & 15)
    if pid == 0 { tables &+= 1 }
    if last != Self.none, !isNew {
      let expected = hasPayload ? (last + 1) & 15 : last
      // Segments of HLS begin with a table of programs (RFC 8216, 3.2), and some restart the counters. libavformat
      // marks the packets after that as damaged all the same.
      let mayRestart = counter == 0 && packet[1] & 0x40 != 0 && seen[pid] != tables
      // A packet may be sent twice.
      if counter != expected, counter != last, !mayRestart { add(.gap, offset) }
    }
    seen[pid] = tables
    counters[pid] = counter
    guard hasPayload, packet[3] & 0xc0 == 0 else { return }
    start(
      of: packet.extracting((hasField ? 5 + length : 4)..<188), pid, packet[1] & 0x40 != 0, offset)
  }

  /// Compares the payload start flag of a header with the first bytes of the payload: a PES packet begins with 00 00
  /// 01.
  private mutating func start(
    of payload: Span<UInt8>, _ pid: Int, _ isStart: Bool, _ offset: Int
  ) {
    guard payload.count >= 9 else { return }
    let begins = payload[0] == 0 && payload[1] == 0 && payload[2] == 1
    if isStart, begins {
      isElementary[pid] = true
    } else if isStart {
      if isElementary[pid] { add(.start, offset) }
    } else if begins {
      // This is the header of sound, pictures or private data, with times: not the bytes of a picture.
      let isStream = payload[3] == 0xbd || (0xc0...0xef).contains(payload[3])
      if isStream, payload[6] >> 6 == 2, payload[7] & 0x80 != 0 { add(.start, offset) }
    }
  }

  private mutating func add(_ fault: Fault, _ offset: Int) {
    if tallies[fault.rawValue].count == 0 { tallies[fault.rawValue].first = offset }
    tallies[fault.rawValue].count += 1
  }

  mutating func finish(_ source: any ByteSource) {
    if let form, form.size > 0, next + pending.count == source.count { rest = pending.count }
  }

  var words: [String] {
    let found: [String] = Fault.allCases.compactMap { fault in
      let tally = tallies[fault.rawValue]
      guard tally.count > 0 else { return nil }
      let (one, many) = Self.names(fault)
      return Self.count(tally.count, one, many, first: tally.first)
    }
    return found
      + (rest > 0 ? ["the file ends inside a packet, \(rest) bytes after its start"] : [])
  }

  private static func names(_ fault: Fault) -> (String, String) {
    switch fault {
    case .sync:
      ("place where no transport packet begins,", "places where no transport packet begins")
    case .error:
      (
        "transport packet that was damaged on its way,",
        "transport packets that were damaged on their way"
      )
    case .scrambled: ("scrambled transport packet,", "scrambled transport packets")
    case .malformed:
      ("transport packet with an impossible header,", "transport packets with impossible headers")
    case .gap:
      ("gap in the count of transport packets,", "gaps in the count of transport packets")
    case .start:
      (
        "transport packet with a wrong mark of its start,",
        "transport packets with a wrong mark of their start"
      )
    }
  }
}
