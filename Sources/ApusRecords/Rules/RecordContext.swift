// SPDX-License-Identifier: MIT

public import ApusBytes
internal import HEIF
public import HEVC
internal import ISOBMFF

/// The data for the rules: a record, its parameter sets, its surroundings, and the properties of the samples.
public struct RecordContext: Sendable {
  /// The record with its location and its users.
  public let found: FoundRecord
  /// The parameter sets and messages of the record, parsed.
  public let headers: StreamHeaders
  /// The properties of the samples, if they could be examined.
  public let scan: Scan
  /// The sequence parameter sets of the samples, if the record has none.
  private let inBandSequences: [SequenceParameterSet]

  /// The result of examining the samples.
  public enum Scan: Sendable {
    case done(SampleScan)
    /// The samples were not examined, for the given reason.
    case none(String)
  }

  /// - Parameter source: the file; rules about samples are not applicable without it.
  public init(_ found: FoundRecord, in source: (any ByteSource)?, limits: Limits = Limits()) {
    self.found = found
    headers = StreamHeaders(found.record, found.layered, limits: limits)
    scan = Self.scan(found, source)
    guard headers.baseSequences.isEmpty, case .done(let scan) = scan else {
      inBandSequences = []
      return
    }
    inBandSequences = StreamHeaders(scan.sets.map(\.bytes), limits: limits).baseSequences
  }

  /// Creates a context for parameter sets without a record.
  init(sets: [[UInt8]]) {
    found = FoundRecord(DecoderConfigurationRecord(), bytes: [])
    headers = StreamHeaders(sets)
    scan = .none("there is no track")
    inBandSequences = []
  }

  private static func scan(_ found: FoundRecord, _ source: (any ByteSource)?) -> Scan {
    guard case .track(let track, let entry) = found.surroundings else {
      return .none("the record belongs to no track")
    }
    guard let source else { return .none("the file is not available") }
    guard !entry.isExternal else { return .none("the samples are in another file") }
    guard !["encv", "resv", "drmi"].contains(entry.type) else {
      return .none("the samples are encrypted")
    }
    guard [1, 2, 4].contains(found.record.lengthSize) else {
      return .none("the lengths in the samples cannot be read")
    }
    do throws(SyntaxError) {
      let scan = try SampleScan(
        track, entry: entry.index, lengthSize: found.record.lengthSize, in: source)
      return scan.samples > 0 ? .done(scan) : .none("there are no samples")
    } catch {
      return .none("the samples cannot be found: \(error)")
    }
  }

  /// The record to be checked.
  public var record: DecoderConfigurationRecord { found.record }
  /// The sequence parameter sets of the record or, if they are in the samples as `hev1` allows, of the samples.
  public var sequences: [SequenceParameterSet] {
    headers.baseSequences.isEmpty ? inBandSequences : headers.baseSequences
  }

  /// The profile, tier and level of every set of the base layer, with the name of the set.
  var levels: [(name: String, level: ProfileTierLevel)] {
    headers.baseVideos.map { ("VPS \($0.id)", $0.profileTierLevel) }
      + sequences.map { ("SPS \($0.id)", $0.profileTierLevel) }
  }

  /// Whether all parameter sets must be in the record (ISO/IEC 14496-15, 8.4.1).
  var setsAreOutOfBand: Bool {
    switch found.codingType {
    case "hvc1", "dvh1", "hvc2", "hvt1", "lhv1": true
    default: false
    }
  }

  /// Returns the offset in the file of a byte of the record; `nil` if the record was built.
  func place(_ index: Int) -> Int? { found.offset.map { $0 + index } }
}
