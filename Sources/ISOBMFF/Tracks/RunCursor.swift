// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A walk over the samples of a track run (`trun`): ISO/IEC 14496-12, 8.8.8.
struct RunCursor: Sendable {
  private let located: LocatedNode
  private let run: TrackRun
  private let defaults: Defaults
  private var cursor: TableCursor?
  private var row: [Int64] = []
  private var remaining: Int
  private var isFirst = true

  private struct Defaults: Sendable {
    var duration: Int64
    var size: Int
    var isSync: Bool
    var description: Int
  }

  init(
    _ located: LocatedNode, of fragment: TrackFragment, base: Int, position: inout Int
  ) throws(SyntaxError) {
    guard let run = located.box(TrackRun.self) else {
      throw located.unreadable
    }
    self.located = located
    self.run = run
    defaults = Defaults(
      duration: Int64(fragment.defaultDuration), size: fragment.defaultSize,
      isSync: fragment.defaultFlags.map { !$0.sampleIsNonSyncSample } ?? true,
      description: fragment.descriptionIndex)
    remaining = Int(run.sampleCount)
    if !run.samples.columns.isEmpty { cursor = try run.samples.cursor() }
    guard run.flags & 0x1 != 0 else { return }
    let (start, overflow) = base.addingReportingOverflow(Int(run.dataOffset))
    guard !overflow, start >= 0 else {
      throw located.failure("trun data_offset is \(run.dataOffset) from byte \(base)")
    }
    position = start
  }

  /// - Parameter most: the maximum number of equal samples in a run.
  mutating func next(_ index: Int, at time: Int64, offset: inout Int, upTo most: Int = 1)
    throws(SyntaxError) -> SampleRun?
  {
    guard remaining > 0 else { return nil }
    remaining -= 1
    var sample = TrackSample(
      index: index, offset: offset, size: defaults.size, decodeTime: time, compositionOffset: 0,
      duration: defaults.duration, isSync: defaults.isSync,
      descriptionIndex: defaults.description)
    if try cursor?.next(&row) ?? false { apply(row, to: &sample) }
    let isOther = isFirst && run.flags & 0x4 != 0
    if isOther { sample.isSync = !run.firstSampleFlags.sampleIsNonSyncSample }
    isFirst = false
    let alike = cursor == nil && !isOther ? min(remaining, most - 1) : 0
    let (size, isMuch) = sample.size.multipliedReportingOverflow(by: 1 + alike)
    offset = try end(of: isMuch ? .max : size, from: offset)
    remaining -= alike
    let reach = sample.duration.multipliedReportingOverflow(by: Int64(alike))
    guard time <= 1 << 62, !reach.overflow, reach.partialValue <= 1 << 62 - time else {
      throw located.failure("trun reaches beyond the time 2^62")
    }
    return SampleRun(first: sample, count: 1 + alike)
  }

  /// Passes all samples to sum up their sizes.
  mutating func skip(offset: inout Int) throws(SyntaxError) {
    guard run.flags & 0x200 != 0 else {
      let (size, overflow) = defaults.size.multipliedReportingOverflow(by: remaining)
      offset = try end(of: overflow ? .max : size, from: offset)
      remaining = 0
      return
    }
    while try next(0, at: 0, offset: &offset) != nil {}
  }

  private func apply(_ row: [Int64], to sample: inout TrackSample) {
    for (column, value) in zip(run.samples.columns, row) {
      switch column.name {
      case "sample_duration": sample.duration = value
      case "sample_size": sample.size = Int(value)
      case "sample_flags": sample.isSync = value & 0x1_0000 == 0
      default: sample.compositionOffset = value.signedOffset
      }
    }
  }

  private func end(of size: Int, from offset: Int) throws(SyntaxError) -> Int {
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard !overflow else { throw located.failure("trun reaches beyond byte 2^63") }
    return end
  }
}
