// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusSamples
internal import HEVC
public import ISOBMFF

/// A walk over the pictures of an HEVC track that reads only the beginning of each NAL unit.
public struct TrackPictures: Sendable {
  private var samples: SampleCursor
  private var reader: PictureReader

  /// Creates a walk from the first sample of a track; nothing is read before the first `next`.
  public init(of track: Track, in source: any ByteSource) {
    samples = track.samples()
    reader = PictureReader(of: track, in: source, headers: HeadersReader())
  }

  /// Returns the facts of the next picture in decoding order; `nil` after the last.
  public mutating func next() throws(SyntaxError) -> FrameFacts? {
    guard let sample = try samples.next() else { return nil }
    return try reader.picture(in: sample)
  }
}

/// Reads the facts about pictures from the samples of one track, in decoding order.
struct PictureReader: Sendable {
  private let source: any ByteSource
  private var descriptions: [Int: Description] = [:]
  /// The parameter sets and messages that are in the first sample.
  private(set) var firstHeaders: [[UInt8]] = []
  private var isFirst = true

  private struct Description: Sendable {
    var lengthSize: Int
    var sets: ParameterSets
  }

  /// The maximum number of NAL units read in one sample.
  private static let unitLimit = 4096
  /// The maximum number of lengths of 0 in one sample.
  private static let emptyLimit = 16
  /// The number of bytes read at once.
  private static let windowSize = 1024
  /// The maximum number of parameter sets and messages kept from the first sample.
  private static let headerLimit = 64

  init(of track: Track, in source: any ByteSource, headers: HeadersReader) {
    self.source = source
    for entry in track.sampleEntries where !entry.isExternal && entry.type == entry.codingType {
      guard let record = entry.located.box(at: "hvcC", as: HEVCConfiguration.self)?.record else {
        continue
      }
      descriptions[entry.index] = Description(
        lengthSize: record.lengthSize, sets: headers.headers(of: record).sets)
    }
  }

  /// Creates a reader for samples from a source, all of one format.
  init(_ record: DecoderConfigurationRecord, headers: HeadersReader) {
    source = MemorySource([])
    descriptions[1] = Description(
      lengthSize: record.lengthSize, sets: headers.headers(of: record).sets)
  }

  /// Whether there is a configuration that tells how to read the samples.
  var isReadable: Bool { !descriptions.isEmpty }

  mutating func picture(in sample: TrackSample) throws(SyntaxError) -> FrameFacts {
    let end = min(sample.range.upperBound, max(source.count, sample.offset))
    return try picture(
      in: Extent(source, sample.offset..<end), sample.descriptionIndex,
      FrameFacts(size: sample.size, isKey: sample.isSync))
  }

  mutating func picture(in sample: CodedSample) throws(SyntaxError) -> FrameFacts {
    try picture(
      in: sample.payload, 1, FrameFacts(size: sample.payload.count, isKey: sample.isSync))
  }

  private mutating func picture(in sample: Extent, _ number: Int, _ blank: FrameFacts)
    throws(SyntaxError) -> FrameFacts
  {
    var picture = blank
    guard var description = descriptions[number] else { return picture }
    let changed = try look(into: sample, &description, &picture)
    if changed { descriptions[number] = description }
    isFirst = false
    return picture
  }

  /// Examines a sample and returns whether it contains parameter sets.
  private mutating func look(
    into sample: Extent, _ description: inout Description, _ picture: inout FrameFacts
  ) throws(SyntaxError) -> Bool {
    var changed = false
    let source = sample.source
    var position = sample.range.lowerBound
    let end = sample.range.upperBound
    let lengthSize = description.lengthSize
    let seen = lengthSize + SliceSegmentHeader.startLength
    // Short units are read together.
    var (window, start) = ([UInt8](), position)
    var (units, empty) = (0, 0)
    while units < Self.unitLimit, position < end, end - position > lengthSize {
      units += 1
      if min(position + seen, end) > start + window.count {
        start = position
        window = try source.bytes(in: start..<min(start + Self.windowSize, end))
      }
      let head = window[(position - start)...].prefix(seen)
      let length = Int(bigEndianBytes: head.prefix(lengthSize))
      position += lengthSize
      guard length > 0 else {
        // Zeros are not units, and a sample of zeros contains nothing else.
        empty += 1
        if empty < Self.emptyLimit { continue } else { break }
      }
      var nalUnit = Array(head.dropFirst(lengthSize).prefix(length))
      if let header = NALUnitHeader(of: nalUnit) {
        let isSet = (32...34).contains(header.nalUnitType.rawValue)
        let isKept = isFirst && (isSet || header.nalUnitType == .prefixSEI)
        if isSet || isKept, length <= min(end - position, 1 << 16) {
          nalUnit = try source.bytes(in: position..<position + length)
          if isKept, firstHeaders.count < Self.headerLimit { firstHeaders.append(nalUnit) }
          if isSet {
            description.sets.add(nalUnit: nalUnit)
            changed = true
          }
        }
        picture.add(header, nalUnit, description.sets)
      }
      position += length
    }
    return changed
  }
}

/// Counts the types of the first pictures of a track.
struct PictureCounter {
  private(set) var counts = PictureCounts()
  private var reader: PictureReader?

  /// The parameter sets and messages that are in the first sample.
  private(set) var firstHeaders: [[UInt8]] = []

  /// The number of pictures that are read from the start of a track.
  private static let limit = 300

  init(of track: Track, in source: any ByteSource, headers: HeadersReader) {
    let reader = PictureReader(of: track, in: source, headers: headers)
    self.reader = reader.isReadable ? reader : nil
  }

  /// Creates a reader for samples from a source.
  init(_ record: DecoderConfigurationRecord, headers: HeadersReader) {
    reader = PictureReader(record, headers: headers)
  }

  /// Creates a reader for samples whose pictures are not examined.
  init() {}

  /// Whether the samples that follow are examined.
  var isReading: Bool { reader != nil && counts.total < Self.limit }

  mutating func add(_ sample: TrackSample) {
    look { reader throws(SyntaxError) in try reader.picture(in: sample) }
  }

  mutating func add(_ sample: CodedSample) {
    look { reader throws(SyntaxError) in try reader.picture(in: sample) }
  }

  private mutating func look(
    _ read: (inout PictureReader) throws(SyntaxError) -> FrameFacts
  ) {
    guard counts.total < Self.limit, var reader = self.reader else { return }
    self.reader = nil
    do throws(SyntaxError) {
      counts.add(try read(&reader))
      if firstHeaders.isEmpty { firstHeaders = reader.firstHeaders }
      self.reader = reader
    } catch {
      // Samples at places that cannot be read are counted by the walk itself.
    }
  }
}
