// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import HEIF
internal import HEVC
public import ISOBMFF

/// A repair of the records of a file, as changes to its boxes.
public struct RecordRepair: Sendable {
  /// The sample entry, which decides where parameter sets may be (ISO/IEC 14496-15, 8.4.1.1.1).
  public enum Entry: String, CaseIterable, Sendable {
    /// An entry with parameter sets only in the record, as required by Apple's players.
    case hvc1
    /// An entry with parameter sets in the record, in the samples, or in both.
    case hev1
  }

  /// The handling of parameter sets in samples.
  public enum InBandSets: String, CaseIterable, Sendable {
    case keep
    /// Copies the sets into the record, and leaves the samples unchanged.
    case copy
    /// Moves the sets from the samples into the record.
    case record
    /// Removes the sets from the samples if the record has the same ones.
    case remove

    var isRemoving: Bool { self == .record || self == .remove }
  }

  /// The sample entry to give to tracks; `nil` to keep theirs.
  public var entry: Entry?
  /// Whether the fields before the arrays are derived from the sets, and every set is moved to the array of its type.
  public var rebuildsFields = false
  /// Whether the completeness bits are set according to the sample entry.
  public var setsCompleteness = false
  /// The handling of parameter sets in samples; by default they are kept.
  public var inBandSets = InBandSets.keep
  /// The limits on the cost of reading samples.
  public var limits = Limits()

  /// Creates a repair that changes nothing.
  public init() {}

  /// Applies the changes.
  ///
  /// - Returns: the number of records.
  public func apply(to editor: inout BoxEditor) throws(EditError) -> Int {
    let found = RecordFinder.records(in: editor.original)
    let records = found.records.filter { BoxPath($0.path)?.steps.last?.type == "hvcC" }
    if let finding = found.findings.first(where: { $0.severity == .error }) {
      throw .refused(path: finding.path, reason: "the record cannot be read: \(finding.message)")
    }
    var walk = SampleSets.Walk(through: editor.source, limits)
    for record in records { try repair(record, &walk, &editor) }
    return records.count
  }

  private func repair(
    _ found: FoundRecord, _ walk: inout SampleSets.Walk, _ editor: inout BoxEditor
  ) throws(EditError) {
    var record = found.record
    let located = try BoxPath(located: found.path).map { path throws(EditError) in
      try editor.box(at: path)
    }
    var hasTaken = false
    if rebuildsFields {
      if case .typed(_, let trailing)? = located?.node.content, let extent = trailing.extent {
        do throws(SyntaxError) {
          hasTaken = record.takeArrays(in: try extent.bytes())
        } catch {
          throw .unreadable(error)
        }
      }
      do throws(SyntaxError) { try record.correctTemporalIDs() } catch { throw .unreadable(error) }
      record.arrangeArrays()
      if let size = lengthSize(found, editor.source) { record.lengthSizeMinusOne = UInt8(size - 1) }
    }
    var entry: Entry?
    if case .track(let track, let description) = found.surroundings {
      entry = self.entry ?? Entry(named: description.codingType)
      if self.entry == .hvc1 || inBandSets != .keep {
        try takeSets(of: track, description, &record, &walk, &editor)
      }
      if let wanted = self.entry { try retag(description, to: wanted, &editor) }
    }
    if entry == .hvc1, self.entry != nil || inBandSets != .keep {
      try record.requireSets(found.path)
    }
    if rebuildsFields { try record.rebuildFields(found.path) }
    if setsCompleteness || self.entry == .hvc1, let entry {
      record.setCompleteness(entry, inBand: inBandSets)
    }
    guard try bytes(of: record, found.path) != found.bytes, let located else { return }
    try editor.change(located) { siblings, index in
      guard var configuration = siblings[index].box as? HEVCConfiguration else { return }
      configuration.record = record
      if hasTaken { siblings[index].content = .typed(configuration, trailing: Node.Trailing()) }
      siblings[index].box = configuration
    }
  }

  /// Returns the length size with which all samples divide into NAL units, if that of the record is wrong and only one
  /// other is right.
  private func lengthSize(_ found: FoundRecord, _ source: any ByteSource) -> Int? {
    guard case .track(let track, let entry) = found.surroundings, !entry.isExternal,
      entry.type == entry.codingType, entry.located.child("lhvC") == nil
    else { return nil }
    let fits = { (size: Int) -> Bool in
      let scan = try? SampleScan(track, entry: entry.index, lengthSize: size, in: source)
      return scan.map {
        $0.samples > 0 && !$0.isCutOff && $0.badLengths == nil && $0.noPicture == nil
      } ?? false
    }
    let own = found.record.lengthSize
    if own != 3, fits(own) { return nil }
    let others = [1, 2, 4].filter { $0 != own && fits($0) }
    return others.count == 1 ? others.first : nil
  }

  private func bytes(of record: DecoderConfigurationRecord, _ path: String)
    throws(EditError) -> [UInt8]
  {
    do throws(SyntaxError) {
      return try record.bytes()
    } catch {
      throw .refused(path: path, reason: error.message)
    }
  }

  /// Searches the samples for parameter sets, and adds those that the record lacks.
  private func takeSets(
    of track: Track, _ description: TrackSampleEntry, _ record: inout DecoderConfigurationRecord,
    _ walk: inout SampleSets.Walk, _ editor: inout BoxEditor
  ) throws(EditError) {
    let path = description.path
    guard description.codingType == description.type else {
      throw .refused(path: path, reason: "the samples are encrypted and cannot be read")
    }
    guard !description.isExternal else {
      throw .refused(path: path, reason: "the samples are in another file")
    }
    let scan = try SampleSets(of: track, description, record, in: editor.source, &walk)
    if scan.units.isEmpty { return }
    guard inBandSets != .keep else {
      throw .refused(
        path: path,
        reason: "\(scan.units.count) parameter sets are in samples, the first in sample "
          + "\(scan.firstSample), which hvc1 forbids; moving them rewrites the media data",
        remedy: .setsInRecord)
    }
    let missing = try scan.missing(from: record, path)
    if inBandSets == .remove, let set = missing.first {
      throw .refused(
        path: path,
        reason:
          "the \(set.name) in sample \(set.sample) is not in the record; it can be moved there, but not "
          + "removed",
        remedy: .setsInRecord)
    }
    record.add(missing.map(\.bytes))
    if inBandSets.isRemoving { try editor.cut(scan.units, from: track) }
    guard inBandSets == .copy, entry == .hvc1 else { return }
    throw .refused(
      path: path,
      reason: "hvc1 does not allow parameter sets in samples; they must be moved, not copied"
    )
  }

  /// Sets the type of a sample entry according to the location of its sets. Dolby Vision has two separate types, which
  /// are necessary if other players would show wrong colours.
  private func retag(
    _ description: TrackSampleEntry, to entry: Entry, _ editor: inout BoxEditor
  ) throws(EditError) {
    let type = description.type
    let wanted: FourCC
    switch (type, entry) {
    case ("hvc1", _), ("hev1", _):
      let isExclusive = description.node.dolbyVision?.isExclusive ?? false
      wanted =
        entry == .hvc1 ? (isExclusive ? "dvh1" : "hvc1") : (isExclusive ? "dvhe" : "hev1")
    case ("dvh1", _), ("dvhe", _): wanted = entry == .hvc1 ? "dvh1" : "dvhe"
    default:
      throw .refused(
        path: description.path, reason: "\(type) is not hvc1, hev1, dvh1 or dvhe")
    }
    guard wanted != type else { return }
    try editor.change(description.located) { siblings, index in
      siblings[index].header.type = wanted
    }
  }
}

extension RecordRepair.Entry {
  /// Creates the entry of a type, with what it guarantees about parameter sets.
  init?(named type: FourCC) {
    switch type {
    case "hvc1", "dvh1": self = .hvc1
    case "hev1", "dvhe": self = .hev1
    default: return nil
    }
  }
}
