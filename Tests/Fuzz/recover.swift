// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusSamples
import HEVC

/// Any input is refused, or samples are read or found in it that are neither beyond its end nor among the bytes that the
/// report leaves unexplained. A movie is its own healthy one, without its `moov` and with other bytes in its middle.
func fuzz(_ bytes: [UInt8]) throws {
  try recover(bytes, MemorySource(bytes), nil)
  var broken = bytes
  for index in broken.indices.dropLast(3) where broken[index...].starts(with: "moov".utf8) {
    broken.replaceSubrange(index..<index + 4, with: "free".utf8)
  }
  let middle = broken.count / 2
  try recover(broken, MemorySource(bytes), nil)
  try recover(broken, nil, FrameRate(25, 1))
  for index in middle..<min(middle + 64, broken.count) { broken[index] = UInt8(index & 0xff) }
  try recover(broken, MemorySource(bytes), nil)
}

private func recover(_ bytes: [UInt8], _ healthy: MemorySource?, _ rate: FrameRate?) throws {
  let source = MemorySource(bytes)
  guard let movie = try? RecoveredMovie(source, like: healthy, frameRate: rate) else { return }
  var place = 0
  for gap in movie.report.gaps {
    try expect(place <= gap.range.lowerBound && !gap.range.isEmpty, "gaps are not in order")
    place = gap.range.upperBound
  }
  try expect(place <= bytes.count, "a gap is beyond the end")
  if try !RecoveredMovie.describesItself(source) {
    let gaps = movie.report.gaps.map(\.range)
    var walk = movie.input.source
    var count = 0
    while let event = try walk.next() {
      guard case .sample(let sample) = event else { continue }
      count += sample.count
      let range = sample.payload.range
      try expect(range.upperBound <= bytes.count, "a sample is beyond the end")
      try expect(!gaps.contains { $0.overlaps(range) }, "a sample is not explained")
    }
    let reported = movie.report.tracks.reduce(0) { $0 + $1.samples }
    try expect(count == reported, "\(count) samples are not \(reported)")
  }
  do {
    var sink = CountingSink()
    _ = try RemuxJob(movie.input, options: RemuxJob.Options(.mp4)).writeAndWait(to: &sink)
  } catch {}
}
