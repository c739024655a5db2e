// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Declarations, keyed by type. The keys come from the program and not from a file, so the hash need not withstand
/// attacks, which makes it much faster.
struct DeclarationTable: Sendable {
  /// The slots, whose number is a power of two.
  private var places: [(type: FourCC, declaration: BoxDeclaration?)]
  private var count = 0

  init() { places = Self.room(1 << 10) }

  /// Adds a declaration for a type, replacing any earlier one.
  mutating func add(_ declaration: BoxDeclaration, for type: FourCC) {
    let place = place(of: type)
    if places[place].declaration == nil { count += 1 }
    places[place] = (type, declaration)
    // At most half of the slots are used, so that searches are short.
    guard count * 2 > places.count else { return }
    let old = places
    places = Self.room(2 * old.count)
    for case (let type, let declaration?) in old {
      places[self.place(of: type)] = (type, declaration)
    }
  }

  subscript(type: FourCC) -> BoxDeclaration? { places[place(of: type)].declaration }

  /// Returns the slot of a type, or the slot that it would get.
  private func place(of type: FourCC) -> Int {
    let mask = places.count - 1
    // Knuth's multiplicative hash, whose upper bits depend on the whole type.
    let hash = UInt64(type.code &* 0x9e37_79b1)
    var place = Int(hash &* UInt64(places.count) >> 32)
    while places[place].declaration != nil, places[place].type != type {
      place = (place + 1) & mask
    }
    return place
  }

  private static func room(_ count: Int) -> [(type: FourCC, declaration: BoxDeclaration?)] {
    Array(repeating: (FourCC(0), nil), count: count)
  }
}
