// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Reads the tables of a track with a single access to the input if they are small, as they are in files with very many
/// tracks.
struct TableFetch {
  /// The range of the box that contains the tables; `nil` if it is large, or was changed after reading.
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
      // Reading the table on its own reports the error.
      return table
    }
  }
}
