// SPDX-License-Identifier: MIT

package import ApusBytes
package import ISOBMFF

/// Reads the NAL units in the samples of a track, in decoding order.
package struct TrackUnits: Sendable {
  private let source: any ByteSource
  private let track: Track
  /// The time in seconds at which media time 0 is presented; 0 if the edit list cannot be read.
  package let start: Double
  private var entries: [Int: Entry] = [:]

  private struct Entry: Sendable {
    var lengthSize: Int
    var reader: UnitReader
  }

  package init(of track: Track, in source: any ByteSource, limits: Limits = Limits()) {
    self.source = source
    self.track = track
    start = (try? track.presentationStart()) ?? 0
    for entry in track.sampleEntries {
      guard let (reader, lengthSize) = UnitReader.of(entry, limits: limits) else { continue }
      entries[entry.index] = Entry(lengthSize: lengthSize, reader: reader)
    }
  }

  /// Whether the samples, or some of them, consist of NAL units that can be read.
  package var isReadable: Bool { !entries.isEmpty }

  /// Returns the number of bytes before each NAL unit of a sample; `nil` if it does not consist of any that can be read.
  package func lengthSize(of sample: TrackSample) -> Int? {
    entries[sample.descriptionIndex]?.lengthSize
  }

  /// Reads of a sample only what later ones may refer to.
  package mutating func pass(_ sample: TrackSample) throws(SyntaxError) {
    guard var entry = entries[sample.descriptionIndex] else { return }
    var units = SampleUnits(in: try bytes(of: sample), lengthSize: entry.lengthSize)
    entries[sample.descriptionIndex] = nil
    defer { entries[sample.descriptionIndex] = entry }
    while let unit = try units.next() { try entry.reader.pass(unit) }
  }

  /// Returns the NAL units of a sample, as far as they can be read.
  package mutating func units(of sample: TrackSample) -> DataUnits {
    var found = DataUnits(.sample(sample, track, start: start), sample.range)
    let entry = track.sampleEntries.first { $0.index == sample.descriptionIndex }
    if entry?.isProtected == true {
      found.failure = SyntaxError(
        .unsupported, field: "sample \(sample.index + 1)", offset: sample.offset,
        detail: "is encrypted")
      return found
    }
    do throws(SyntaxError) {
      try forEach(in: sample) { unit throws(SyntaxError) in found.units.append(unit) }
    } catch {
      found.failure = error
    }
    return found
  }

  /// Passes each NAL unit of a sample. Throws after the last that can be read.
  package mutating func forEach(
    in sample: TrackSample, _ body: (UnitSyntax) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    guard var entry = entries[sample.descriptionIndex] else { return }
    let bytes = try bytes(of: sample)
    var units = SampleUnits(in: bytes, lengthSize: entry.lengthSize)
    entries[sample.descriptionIndex] = nil
    defer { entries[sample.descriptionIndex] = entry }
    while let unit = try units.next() { try body(entry.reader.next(unit.bytes)) }
    guard bytes.count == sample.size else {
      throw SyntaxError(
        .truncated, field: "sample \(sample.index + 1)", offset: sample.offset,
        detail: "has \(sample.size) bytes, but the file ends at byte \(source.count)")
    }
  }

  /// Returns the bytes of a sample as far as they are in the file.
  private func bytes(of sample: TrackSample) throws(SyntaxError) -> Extent {
    guard sample.offset >= 0, sample.size >= 0, sample.offset <= source.count else {
      throw SyntaxError(
        .truncated, field: "sample \(sample.index + 1)", offset: sample.offset,
        detail: "is beyond the end of the file")
    }
    let end = max(sample.offset, min(sample.range.upperBound, source.count))
    return Extent(source, sample.offset..<end)
  }
}
