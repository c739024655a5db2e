// SPDX-License-Identifier: MIT

internal import AVC
public import ApusBytes
internal import ApusMedia
package import HEIF
public import HEVC
public import ISOBMFF

/// Finds all decoder configuration records of an input.
public enum RecordFinder {
  /// The records found.
  public struct Result: Sendable {
    /// The records of HEVC, those of tracks before those of items.
    public var records: [FoundRecord] = []
    /// The errors of records that could not be read.
    public var findings: [Finding] = []
    /// The records of H.264.
    public var avcRecords: [FoundAVCRecord] = []
    /// The errors of H.264 records that could not be read.
    public var avcFindings: [Finding] = []
    /// Creates an empty result.
    public init() {}
  }

  /// Returns the records of an input of any kind: those of its tracks and items, that of a byte stream, or the input
  /// itself; `nil` if inputs of its kind contain none.
  public static func records(of source: any ByteSource, limits: Limits = Limits())
    throws(SyntaxError) -> Result?
  {
    var result = Result()
    switch try FileKind(of: source) {
    case .isoBMFF: return records(in: try BoxTree(reading: source, limits: limits))
    case .flv: return try records(inFLV: source, limits: limits)
    case .annexB:
      var builder = RecordBuilder()
      builder.limits = limits
      result.records = [try record(ofStream: source, builder: builder)]
    case .hevcRecord where source.count <= largestRecord:
      result.records = [
        try record(fileOf: source.bytes(in: 0..<source.count), limits: limits)
      ]
    case .unknown where source.count <= largestRecord:
      // A single byte is weak evidence: if it is not a record after all, the file is of another kind.
      let bytes = try source.bytes(in: 0..<source.count)
      if let record = avcRecord(fileOf: bytes) {
        result.avcRecords = [record]
        return result
      }
      do throws(SyntaxError) {
        result.records = [try record(fileOf: bytes, limits: limits)]
      } catch {
        return nil
      }
    default: return nil
    }
    return result
  }

  /// The size above which a file is not read, because no muxer writes such a large record.
  private static var largestRecord: Int { 1 << 24 }

  /// Returns the records in the boxes of a file: one for each box with a record, including the tracks or items that use
  /// it.
  public static func records(in tree: BoxTree) -> Result {
    var result = Result()
    for track in Movie(tree).tracks { findSampleEntries(of: track, &result) }
    findProperties(in: ItemGraph(tree), &result)
    result.findings += tree.findings.filter { finding in
      ["hvcC", "hvcE", "lhvC"].contains { finding.path.hasSuffix($0) }
    }
    result.avcFindings += tree.findings.filter { finding in
      ["avcC", "avcE"].contains { finding.path.hasSuffix($0) }
    }
    return result
  }

  /// Reads a file that consists only of a record.
  public static func record(fileOf bytes: [UInt8], limits: Limits = Limits()) throws(SyntaxError)
    -> FoundRecord
  {
    let record = try DecoderConfigurationRecord(bytes, limits: limits)
    return FoundRecord(record, bytes: bytes, offset: 0, users: [.file])
  }

  /// Returns the record of a byte stream (ITU-T H.265, Annex B), built from its parameter sets.
  public static func record(
    ofStream source: any ByteSource, builder: RecordBuilder = RecordBuilder()
  ) throws(SyntaxError) -> FoundRecord {
    let built = try builder.record(of: headers(ofStream: source))
    var found = FoundRecord(built.record, bytes: try built.record.bytes(), users: [.stream])
    found.layered = built.layered
    found.layeredBytes = try built.layered?.bytes()
    return found
  }

  /// Returns the parameter sets and SEI messages of a byte stream without duplicates. The stream is read in pieces, and
  /// nothing else is kept.
  public static func headers(ofStream source: any ByteSource) throws(SyntaxError) -> [[UInt8]] {
    var scanner = AnnexBScanner()
    var kept: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    var hasPicture = false
    func keep(_ nalUnit: ArraySlice<UInt8>) {
      guard let first = nalUnit.first else { return }
      let type = NALUnitType(firstByte: first)
      if type.isVCL { hasPicture = true }
      // Messages about the whole stream precede its first picture.
      guard type.isParameterSet || (!hasPicture && type == .prefixSEI) else { return }
      if known.insert(Array(nalUnit)).inserted { kept.append(Array(nalUnit)) }
    }
    try Extent(source, 0..<source.count).forEachPiece { piece throws(SyntaxError) in
      try scanner.append(piece) { nalUnit in keep(nalUnit) }
    }
    try scanner.finish { nalUnit in keep(nalUnit) }
    return kept
  }
}

// MARK: - Tracks and items

extension RecordFinder {
  /// Returns the records, without duplicates, of a movie and items that were read already.
  package static func distinctRecords(of movie: Movie, _ graph: ItemGraph) -> [FoundRecord] {
    var distinct = DistinctRecords<FoundRecord>()
    var result = Result()
    let tracks = movie.tracks.span
    for index in tracks.indices {
      findSampleEntries(of: tracks[index], &result)
      for record in result.records { distinct.add(record) }
      result.records.removeAll(keepingCapacity: true)
      result.avcRecords.removeAll(keepingCapacity: true)
    }
    findProperties(in: graph, &result)
    for record in result.records { distinct.add(record) }
    return distinct.records
  }

  private static func findSampleEntries(of track: Track, _ result: inout Result) {
    for entry in track.sampleEntries {
      let boxes = entry.located.children(of: HEVCConfiguration.types + AVCConfiguration.types)
      let original = entry.codingType == entry.type ? nil : entry.codingType
      for box in boxes {
        if var found = foundAVC(box, &result) {
          found.entryType = entry.type
          found.originalType = original
          found.users = [.track(track.id)]
          found.codecString = CodecString.of(entry)
          result.avcRecords.append(found)
          continue
        }
        let layered = box.node.type == "hvcC" ? entry.located.child("lhvC") : nil
        guard var found = found(box, layered: layered, &result) else { continue }
        found.entryType = entry.type
        found.originalType = original
        found.users = [.track(track.id)]
        found.surroundings = .track(track, entry)
        result.records.append(found)
      }
    }
  }

  /// Finds the properties of image items: ISO/IEC 23008-12, 7.2.
  private static func findProperties(in graph: ItemGraph, _ result: inout Result) {
    var users: [Int: [Item]] = [:]
    for item in graph.items {
      for index in Set(item.properties.map(\.index)) { users[index, default: []].append(item) }
    }
    for (index, box) in graph.properties.enumerated() {
      let items = users[index + 1] ?? []
      if var found = foundAVC(box, &result) {
        found.entryType = items.first?.type
        found.users = items.map { .item($0.id) }
        result.avcRecords.append(found)
        continue
      }
      let layered = items.lazy.compactMap { item in
        item.properties.first { $0.type == "lhvC" }?.located
      }.first
      guard var found = found(box, layered: layered, &result) else { continue }
      found.entryType = items.first?.type
      found.users = items.map { .item($0.id) }
      found.surroundings = .items(items)
      result.records.append(found)
    }
  }

  /// Returns the record of a box with its bytes; `nil` for other boxes.
  private static func found(_ box: LocatedNode, layered: LocatedNode?, _ result: inout Result)
    -> FoundRecord?
  {
    guard let record = box.box(HEVCConfiguration.self)?.record else { return nil }
    do throws(SyntaxError) {
      var found = FoundRecord(
        record, bytes: try record.bytes(), offset: box.bodyOffset, place: box.place)
      if let layered, let upper = layered.box(LayeredHEVCConfiguration.self)?.record {
        found.layered = upper
        found.layeredBytes = try upper.bytes()
        found.layeredOffset = layered.bodyOffset
      }
      return found
    } catch {
      result.findings.append(
        Finding(
          .error, rule: "record-unreadable", path: box.path,
          offset: error.offset ?? box.node.start, message: error.message))
      return nil
    }
  }
}

extension LocatedNode {
  /// The offset of the body; `nil` for a box that was not read from a file.
  var bodyOffset: Int? { node.extent.map { $0.lowerBound + node.header.count } }
}
