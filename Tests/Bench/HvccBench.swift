// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusRecords
import Glibc
import HEVC
import ISOBMFF

/// The search for start codes beside `memchr`, and the reading of sequence parameter sets.
func benchHvcc(path: String) throws {
  let stream = media(count: 256 << 20)
  var found = 0
  let search = median(runs: 5) {
    found = 0
    var index = 0
    while let next = StartCode.next(in: stream.span, from: index) {
      found += 1
      index = next + 3
    }
  }
  report("start codes, \(found) of them", Double(stream.count) / search / 1e9, "GB/s")
  var zeros = 0
  let peer = median(runs: 5) { zeros = countZeros(stream) }
  report("memchr for zero bytes, \(zeros) of them", Double(stream.count) / peer / 1e9, "GB/s")
  let none = [UInt8](repeating: 0xff, count: 256 << 20)
  let absent = median(runs: 5) { found = countZeros(none) }
  report("memchr where there is none", Double(none.count) / absent / 1e9, "GB/s")

  let input = try FileSource(path)
  let record = try RecordFinder.records(in: BoxTree(reading: input)).records.first?.record
  let sets = record?.arrays.first { $0.nalUnitType == NALUnitType.sps.rawValue }?.nalUnits
  guard let sps = sets?.first else { return print("\(path) holds no SPS") }
  let rounds = 20_000
  let parse = median(runs: 5) {
    for _ in 0..<rounds { found = NALUnit<SequenceParameterSet>(sps).payload == nil ? 0 : 1 }
  }
  report("SPS of \(sps.count) bytes, read and proven", Double(rounds) / parse, "a second")
}

/// Bytes that look like coded media: noise without start codes, and one every 16 KiB.
private func media(count: Int) -> [UInt8] {
  var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  return [UInt8](capacity: count) { output in
    while output.count + 8 <= count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      if output.count % 16384 == 0 {
        for byte: UInt8 in [0, 0, 0, 1, 0x40, 1, 12, 1] { output.append(byte) }
      } else {
        for shift in 0..<8 {
          output.append(UInt8(truncatingIfNeeded: state >> UInt64(8 * shift)) | 2)
        }
      }
    }
  }
}

private func countZeros(_ bytes: [UInt8]) -> Int {
  unsafe bytes.withUnsafeBytes { buffer in
    guard let start = buffer.baseAddress else { return 0 }
    var count = 0
    var offset = 0
    while let next = unsafe memchr(start + offset, 0, buffer.count - offset) {
      count += 1
      offset = unsafe start.distance(to: UnsafeRawPointer(next)) + 1
    }
    return count
  }
}
