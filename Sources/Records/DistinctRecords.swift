// SPDX-License-Identifier: MIT

internal import Bytes

/// Records without those that were there before with the same bytes and the same sample entry, whose users the first has.
struct DistinctRecords {
  private(set) var records: [FoundRecord] = []
  private var places: [Sameness: Int] = [:]
  private var known: [Set<FoundRecord.User>] = []

  /// What records have in common that stand together.
  private struct Sameness: Hashable {
    var bytes: [UInt8]
    var layeredBytes: [UInt8]?
    var entryType: FourCC?
    var originalType: FourCC?
  }

  mutating func add(_ found: FoundRecord) {
    let sameness = Sameness(
      bytes: found.bytes, layeredBytes: found.layeredBytes, entryType: found.entryType,
      originalType: found.originalType)
    guard let index = places[sameness] else {
      places[sameness] = records.count
      known.append(Set(found.users))
      return records.append(found)
    }
    for user in found.users where known[index].insert(user).inserted {
      records[index].users.append(user)
    }
  }
}

extension [FoundRecord] {
  /// Each record once: those with the same bytes and the same sample entry stand together, as the first,
  /// with the users of all.
  public var distinct: [FoundRecord] {
    var kept = DistinctRecords()
    for found in self { kept.add(found) }
    return kept.records
  }
}
