// SPDX-License-Identifier: MIT

public import Bytes
internal import HEVC
public import ISOBMFF

/// A walk over the pictures of an HEVC track that reads no more than the beginning of each NAL unit.
public struct TrackPictures: Sendable {
  private var samples: SampleCursor
  private var reader: PictureReader

  public init(of track: Track, in source: any ByteSource) {
    samples = track.samples()
    reader = PictureReader(of: track, in: source, headers: HeadersReader())
  }

  public mutating func next() throws(SyntaxError) -> CodedPicture? {
    guard let sample = try samples.next() else { return nil }
    return try reader.picture(in: sample)
  }
}

/// Reads what the samples of one track say of their pictures, in decoding order.
struct PictureReader: Sendable {
  private let source: any ByteSource
  private var descriptions: [Int: Description] = [:]

  private struct Description: Sendable {
    var lengthSize: Int
    var sets: ParameterSets
  }

  /// How many NAL units of one sample are looked at.
  private static let unitLimit = 4096
  /// How many bytes are read at once.
  private static let windowSize = 1024

  init(of track: Track, in source: any ByteSource, headers: HeadersReader) {
    self.source = source
    for entry in track.sampleEntries where !entry.isExternal && entry.type == entry.codingType {
      guard let record = entry.located.child("hvcC")?.box(HEVCConfiguration.self)?.record else {
        continue
      }
      descriptions[entry.index] = Description(
        lengthSize: record.lengthSize, sets: headers.headers(of: record).sets)
    }
  }

  /// Whether there is a configuration that says how to read the samples.
  var isReadable: Bool { !descriptions.isEmpty }

  mutating func picture(in sample: TrackSample) throws(SyntaxError) -> CodedPicture {
    var picture = CodedPicture(size: sample.size, isKey: sample.isSync)
    guard var description = descriptions[sample.descriptionIndex] else { return picture }
    let changed = try look(into: sample, &description, &picture)
    if changed { descriptions[sample.descriptionIndex] = description }
    return picture
  }

  /// Answers whether the sample holds parameter sets.
  private func look(
    into sample: TrackSample, _ description: inout Description, _ picture: inout CodedPicture
  ) throws(SyntaxError) -> Bool {
    var changed = false
    var position = sample.offset
    let end = min(sample.range.upperBound, source.count)
    let lengthSize = description.lengthSize
    let seen = lengthSize + CodedPicture.prefixLength
    // Units that are short are read together.
    var (window, start) = ([UInt8](), position)
    for _ in 0..<Self.unitLimit where position < end && end - position > lengthSize {
      if min(position + seen, end) > start + window.count {
        start = position
        window = try source.bytes(in: start..<min(start + Self.windowSize, end))
      }
      let head = window[(position - start)...].prefix(seen)
      let length = head.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      position += lengthSize
      guard length > 0 else { continue }
      var nalUnit = Array(head.dropFirst(lengthSize).prefix(length))
      if let header = NALUnitHeader(of: nalUnit) {
        if (32...34).contains(header.nalUnitType.rawValue), length <= min(end - position, 1 << 16) {
          nalUnit = try source.bytes(in: position..<position + length)
          description.sets.add(nalUnit: nalUnit)
          changed = true
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

  /// How many pictures from the start of a track are looked at.
  private static let limit = 300

  init(of track: Track, in source: any ByteSource, headers: HeadersReader) {
    let reader = PictureReader(of: track, in: source, headers: headers)
    self.reader = reader.isReadable ? reader : nil
  }

  mutating func add(_ sample: TrackSample) {
    do throws(SyntaxError) {
      guard counts.total < Self.limit, let picture = try reader?.picture(in: sample) else { return }
      counts.add(picture)
    } catch {
      // Samples that lie where nothing can be read are counted by the walk itself.
      reader = nil
    }
  }
}
