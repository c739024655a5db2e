// SPDX-License-Identifier: MIT

internal import Bytes

/// Reads the tables of a track that are small, as they are where there are very many tracks, with one access to the
/// input instead of one for each.
struct TableFetch {
  /// The range of the box that holds the tables; `nil` where it is large, or was not read as it is.
  private let range: Range<Int>?
  private var fetched: (origin: any ByteSource, source: FetchedSource)?

  private static let most = 1 << 12

  init(_ range: Range<Int>?) {
    self.range = range.flatMap { $0.count > Self.most ? nil : $0 }
  }

  /// Returns a table with the same rows.
  mutating func table(_ table: Table) -> Table {
    let origin = table.extent.source
    guard let range, !table.extent.isEmpty, origin.resident == nil,
      range.lowerBound <= table.extent.range.lowerBound,
      table.extent.range.upperBound <= range.upperBound
    else { return table }
    if let fetched, fetched.origin === origin { return table.read(from: fetched.source) }
    do throws(SyntaxError) {
      let source = try FetchedSource(origin, range)
      fetched = (origin, source)
      return table.read(from: source)
    } catch {
      // Reading the table by itself says what is wrong.
      return table
    }
  }
}
