// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The samples of a track to be written: the positions of their bytes and their times, in 24 bytes for each.
struct SampleLedger: Sendable {
  struct Sample: Sendable {
    var place: Int
    var size: UInt32
    var duration: UInt32
    var compositionOffset: Int32
    var isSync: Bool
    /// The number of samples with the same size and duration.
    var count: UInt16

    var singleDuration: UInt32 { duration / UInt32(count) }
  }

  /// A value that applies from a given sample.
  struct Run<Value: Sendable>: Sendable {
    var first: Int
    var value: Value
  }

  /// The number of the track, for errors.
  let number: Int
  private(set) var samples = LedgerSamples()
  private(set) var sources: [Run<any ByteSource>] = []
  private(set) var entries: [Run<Int>] = []
  /// The indices of the samples in their original track, as ranges; `nil` if one is unknown, or they do not ascend.
  private(set) var numbers: [Range<Int>]? = []
  private(set) var firstDecodeTime: Int64 = 0
  private(set) var isAllSync = true
  /// The earliest presentation time.
  private(set) var start = Int64.max
  private(set) var end = Int64.min
  private(set) var leastOffset: Int32 = 0
  private(set) var greatestOffset: Int32 = 0
  /// The sum of all durations.
  private(set) var duration: Int64 = 0
  private var lastDecodeTime: Int64 = 0
  /// The duration of the last sample, if it was stated.
  private var lastDuration: Int64?

  init(number: Int) { self.number = number }

  var isEmpty: Bool { samples.isEmpty }
  /// The amount added to each composition offset so that none is negative.
  var shift: Int64 { max(0, -Int64(leastOffset)) }

  mutating func add(_ sample: NewSample) throws(SyntaxError) {
    guard let size = UInt32(exactly: sample.payload.count) else {
      throw refusal("entry_size", "of \(sample.payload.count) bytes needs more than 32 bits")
    }
    guard let count = UInt16(exactly: sample.count), count > 0, size % UInt32(count) == 0,
      count == 1 || (sample.isSync && (sample.duration ?? 1) % Int64(count) == 0)
    else { throw refusal("sample_count", "of \(sample.count) does not fit \(size) bytes") }
    guard let offset = Int32(exactly: sample.compositionOffset) else {
      throw refusal("sample_offset", "of \(sample.compositionOffset) needs more than 32 bits")
    }
    guard sample.decodeTime.magnitude < 1 << 61 else {
      throw refusal("decoding time", "is \(sample.decodeTime), allowed are times below 2^61")
    }
    let shown = sample.decodeTime + sample.compositionOffset
    if isEmpty {
      firstDecodeTime = sample.decodeTime
    } else {
      try close(lasting: sample.decodeTime - lastDecodeTime)
    }
    let index = samples.count
    if index == 0 || sources[sources.count - 1].value !== sample.payload.source {
      sources.append(Run(first: index, value: sample.payload.source))
    }
    if index == 0 || entries[entries.count - 1].value != sample.entry {
      entries.append(Run(first: index, value: sample.entry))
    }
    addNumbers(sample.number, sample.count)
    samples.append(
      Sample(
        place: sample.payload.range.lowerBound, size: size, duration: 0, compositionOffset: offset,
        isSync: sample.isSync, count: count))
    lastDecodeTime = sample.decodeTime
    lastDuration = sample.duration
    isAllSync = isAllSync && sample.isSync
    start = min(start, shown)
    leastOffset = min(leastOffset, offset)
    greatestOffset = max(greatestOffset, offset)
  }

  private mutating func addNumbers(_ number: Int?, _ count: Int) {
    guard var known = numbers else { return }
    numbers = nil
    let last = known.last ?? 0..<0
    guard let number, number >= last.upperBound, number < .max - count else { return }
    if number == last.upperBound, !known.isEmpty {
      known[known.count - 1] = last.lowerBound..<number + count
    } else {
      known.append(number..<number + count)
    }
    numbers = known
  }

  /// Sets the duration of the last sample: its own, that of the previous one, or the default.
  mutating func close(default duration: Int64?) throws(SyntaxError) {
    guard !isEmpty else { return }
    let before = samples.count > 1 ? Int64(samples[samples.count - 2].duration) : nil
    let stated = lastDuration ?? before ?? duration ?? 0
    try close(lasting: min(max(0, stated), Int64(UInt32.max)))
  }

  private mutating func close(lasting duration: Int64) throws(SyntaxError) {
    guard duration >= 0 else {
      throw refusal("decoding time", "falls by \(duration.magnitude) units; it may only rise")
    }
    guard let units = UInt32(exactly: duration) else {
      throw refusal(
        "sample_delta", "of \(duration) units needs more than 32 bits; a coarser timescale fits it")
    }
    let last = samples.count - 1
    let stated = lastDuration ?? duration
    if samples[last].count > 1, stated != duration {
      try split(last, each: stated / Int64(samples[last].count), all: duration)
    } else {
      samples[last].duration = units
    }
    self.duration += duration
    let shown = lastDecodeTime + Int64(samples[last].compositionOffset)
    end = max(end, shown + duration)
  }

  /// Splits an entry of several samples that do not end at the start of the next one, so that the last one compensates
  /// for it.
  private mutating func split(_ index: Int, each single: Int64, all duration: Int64)
    throws(SyntaxError)
  {
    var (first, last) = (samples[index], samples[index])
    let size = last.size / UInt32(last.count)
    first.count -= 1
    guard let begin = UInt32(exactly: single * Int64(first.count)),
      let rest = UInt32(exactly: duration - Int64(begin))
    else {
      throw refusal(
        "decoding time",
        "comes \(duration) units after \(last.count) samples that last \(single) each")
    }
    first.size -= size
    first.duration = begin
    last.place += Int(first.size)
    last.size = size
    last.count = 1
    last.duration = rest
    samples[index] = first
    samples.append(last)
  }

  /// Returns an error that names the track and the next sample.
  func refusal(_ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(
      .misuse, field: field, path: "track \(number), sample \(samples.count + 1)",
      detail: detail)
  }
}
