// SPDX-License-Identifier: MIT

internal import ApusBytes

/// An image file directory (IFD): TIFF 6.0, section 2.
///
/// A directory that is truncated by the end of the stream is read as far as it goes.
struct TIFFDirectory: SyntaxStructure, Hashable {
  var order = ByteOrder.big
  var entries: [TIFFEntry] = []
  /// The number of declared entries that are missing.
  var missing = 0
  /// The offset of the next directory, 0 for none; `nil` if the stream ends before it.
  var next: UInt32?

  init() {}
  init(_ order: ByteOrder, _ entries: [TIFFEntry] = [], next: UInt32? = nil) {
    (self.order, self.entries, self.next) = (order, entries, next)
  }

  var isComplete: Bool { next != nil }

  /// Inserts an entry in the order of tags.
  mutating func add(_ entry: TIFFEntry) {
    let index = entries.firstIndex { $0.tag > entry.tag } ?? entries.count
    entries.insert(entry, at: index)
  }

  var size: Int { 2 + TIFFEntry.size * entries.count + (isComplete ? 4 : 0) }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let order = order
    var number = UInt16(clamping: entries.count + missing)
    try v.u("number_of_entries", &number, order)
    let present = v.isReading ? min(Int(number), v.remaining / TIFFEntry.size) : entries.count
    try v.list("entries", &entries, count: present) { entry, v throws(SyntaxError) in
      entry.order = order
      try entry.syntax(&v)
    }
    if v.isReading {
      missing = Int(number) - present
      next = missing == 0 && v.remaining >= 4 ? 0 : nil
    }
    guard var offset = next else { return }
    try v.u("next_ifd_offset", &offset, order)
    next = offset
  }
}
