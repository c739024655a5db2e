// SPDX-License-Identifier: MIT

public import Bytes
internal import HEVC
public import ISOBMFF

/// A walk over the pictures of an HEVC track that reads no more than the beginning of each NAL unit.
public struct TrackPictures: Sendable {
  private var samples: SampleCursor
  private let source: any ByteSource
  private var descriptions: [Int: Description] = [:]

  private struct Description: Sendable {
    var lengthSize: Int
    var sets = ParameterSets()
  }

  /// How many NAL units of one sample are looked at.
  private static let unitLimit = 4096

  public init(of track: Track, in source: any ByteSource) {
    samples = track.samples()
    self.source = source
    for entry in track.sampleEntries where !entry.isExternal && entry.type == entry.codingType {
      guard let record = entry.located.child("hvcC")?.box(HEVCConfiguration.self)?.record else {
        continue
      }
      var description = Description(lengthSize: record.lengthSize)
      for nalUnit in record.arrays.flatMap(\.nalUnits) { description.sets.add(nalUnit: nalUnit) }
      descriptions[entry.index] = description
    }
  }

  /// Whether there is a configuration that says how to read the samples.
  public var isReadable: Bool { !descriptions.isEmpty }

  public mutating func next() throws(SyntaxError) -> CodedPicture? {
    guard let sample = try samples.next() else { return nil }
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
    for _ in 0..<Self.unitLimit where position < end && end - position > lengthSize {
      let window = try source.bytes(
        in: position..<min(position + lengthSize + CodedPicture.prefixLength, end))
      let length = window.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      var nalUnit = Array(window.dropFirst(lengthSize).prefix(length))
      position += lengthSize
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

extension PictureCounts {
  /// How many pictures from the start of a track are looked at.
  static let limit = 300

  init(of track: Track, in source: any ByteSource) {
    var pictures = TrackPictures(of: track, in: source)
    guard pictures.isReadable else { return }
    do throws(SyntaxError) {
      while total < Self.limit, let picture = try pictures.next() { add(picture) }
    } catch {
      // What is wrong with the tables is told by the walk over all samples.
    }
  }
}
