// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Records without duplicates: of those with the same bytes and sample entry, only the first is kept, with the users of
/// all.
struct DistinctRecords<Record: SharedRecord> {
  private(set) var records: [Record] = []
  private var places: [RecordSameness: Int] = [:]
  private var known: [Set<FoundRecord.User>] = []

  mutating func add(_ found: Record) {
    guard let index = places[found.sameness] else {
      places[found.sameness] = records.count
      known.append(Set(found.users))
      return records.append(found)
    }
    for user in found.users where known[index].insert(user).inserted {
      records[index].users.append(user)
    }
  }
}

/// A record that may be found in several places.
protocol SharedRecord {
  var sameness: RecordSameness { get }
  var users: [FoundRecord.User] { get set }
}

/// The properties by which records are considered equal.
struct RecordSameness: Hashable {
  var bytes: [UInt8]
  var layeredBytes: [UInt8]?
  var entryType: FourCC?
  var originalType: FourCC?
}

extension FoundRecord: SharedRecord {
  var sameness: RecordSameness {
    RecordSameness(
      bytes: bytes, layeredBytes: layeredBytes, entryType: entryType, originalType: originalType)
  }
}

extension FoundAVCRecord: SharedRecord {
  var sameness: RecordSameness {
    RecordSameness(bytes: bytes, entryType: entryType, originalType: originalType)
  }
}

extension [FoundRecord] {
  /// The records without duplicates: of those with the same bytes and sample entry, only the first is kept, with the
  /// users of all.
  public var distinct: [FoundRecord] {
    var kept = DistinctRecords<FoundRecord>()
    for found in self { kept.add(found) }
    return kept.records
  }
}

extension [FoundAVCRecord] {
  /// The records without duplicates, as for HEVC.
  public var distinct: [FoundAVCRecord] {
    var kept = DistinctRecords<FoundAVCRecord>()
    for found in self { kept.add(found) }
    return kept.records
  }
}
