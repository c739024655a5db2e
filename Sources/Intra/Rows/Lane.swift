// SPDX-License-Identifier: MIT

/// What a thread has to itself while it decodes rows of a picture: a parser with its tables, and scratch memory.
///
/// May cross threads because the thread that took it from a list under a lock has it alone until it gives it back.
final class Lane<Sample: FixedWidthInteger & UnsignedInteger>: @unchecked Sendable {
  var reader: SliceDataReader?
  let reconstruction: Reconstruction<Sample>
  /// The rows that it decoded of this picture.
  private(set) var rows: [Int] = []

  init(_ reconstruction: Reconstruction<Sample>) { self.reconstruction = reconstruction }

  /// Begins with a picture for which another lane has made room.
  func begin(_ parameters: CodingParameters) {
    var reader = self.reader.take() ?? SliceDataReader(parameters)
    reader.usage = ToolUsage()
    reader.beginPicture(parameters)
    self.reader = consume reader
    reconstruction.prepare(parameters)
    rows.removeAll(keepingCapacity: true)
  }

  /// Decodes a row. Returns whether it is whole.
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

  /// Takes over what another lane found out for the filters.
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
