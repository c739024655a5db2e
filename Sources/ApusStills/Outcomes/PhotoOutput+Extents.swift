// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

extension PhotoOutput {
  /// Writes parts of an input unchanged, piece by piece.
  func write(_ extents: [Extent]) throws {
    var failure: (any Error)?
    for extent in extents where failure == nil {
      try extent.forEachPiece { piece in
        guard failure == nil else { return }
        do { try write(piece) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}
