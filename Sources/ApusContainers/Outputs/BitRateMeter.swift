// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// A meter for the bit rate of samples, on average and at most in any second: `btrt`, ISO/IEC 14496-12, 8.5.2.2.
struct BitRateMeter: Sendable {
  private let timescale: Int64
  private var total = 0
  private var largest = 0
  private var most = 0
  /// The samples of the last second; the first `passed` of them have left it.
  private var window: [(time: Int64, size: Int)] = []
  private var passed = 0
  private var sum = 0
  private var start: Int64?
  private var end: Int64 = 0

  init(timescale: UInt32) { self.timescale = Int64(timescale) }

  /// Adds the size of a sample.
  mutating func add(_ size: Int, at time: Int64, lasting duration: Int64?) {
    if start == nil { start = time }
    end = time &+ (duration ?? 0)
    total += size
    largest = max(largest, size)
    sum += size
    window.append((time, size))
    while passed < window.count, time &- window[passed].time >= timescale {
      sum -= window[passed].size
      passed += 1
    }
    if passed > 4096 {
      window.removeFirst(passed)
      passed = 0
    }
    most = max(most, sum)
  }

  /// The box with the rates; `nil` where there were no samples, or all have the same time.
  var box: BitRate? {
    guard let start, case (let length, false) = end.subtractingReportingOverflow(start), length > 0
    else { return nil }
    let average = Double(total) * 8 * Double(timescale) / Double(length)
    var box = BitRate()
    box.bufferSizeDB = UInt32(clamping: largest)
    box.averageBitrate = UInt32(clamping: Int64(min(average, 1e15)))
    box.maxBitrate = max(UInt32(clamping: most * 8), box.averageBitrate)
    return box
  }
}
