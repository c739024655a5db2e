// SPDX-License-Identifier: MIT

/// The resources of a thread that decodes rows of a picture: a parser with its tables, and scratch memory.
///
/// It may cross threads because a thread that takes it from a list under a lock uses it exclusively until it returns
/// it.
final class Lane<Sample: FixedWidthInteger & UnsignedInteger>: @unchecked Sendable {
  var reader: SliceDataReader?
  let reconstruction: Reconstruction<Sample>
  /// The rows of this picture that it decoded.
  private(set) var rows: [Int] = []

  init(_ reconstruction: Reconstruction<Sample>) { self.reconstruction = reconstruction }

  /// Begins a picture for which another lane has allocated memory.
  func begin(_ parameters: CodingParameters) {
    var reader = self.reader.take() ?? SliceDataReader(parameters)
    reader.usage = ToolUsage()
    reader.beginPicture(parameters)
    self.reader = consume reader
    reconstruction.prepare(parameters)
    rows.removeAll(keepingCapacity: true)
  }

  /// Decodes a row. Returns whether it is intact.
  func decode(
    _ row: Int, _ coded: CodedRow, _ above: SliceState?, _ data: Span<UInt8>,
    _ exchange: RowExchange
  ) -> Bool {
    guard var reader = self.reader.take() else { return false }
    let reconstruction = reconstruction
    let isWhole = reader.read(row, coded, above, data, exchange) { reconstruction.add(&$0) }
    self.reader = consume reader
    rows.append(row)
    return isWhole
  }

  /// Adopts another lane's results for the filters.
  func merge(_ other: Lane) {
    guard var reader = self.reader.take() else { return }
    if let others = other.reader.take() {
      for row in other.rows {
        reader.maps.takeOver(others.maps.row(row, reader.parameters), reader.parameters)
      }
      reader.usage.add(others.usage)
      other.reader = consume others
    }
    self.reader = consume reader
  }

  func forgetRows() { rows.removeAll(keepingCapacity: true) }
}
