// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Cuts a byte stream into its access units: ITU-T H.265, 7.4.2.4.4 and Annex B.
struct AccessUnitReader: Sendable {
  private var bytes: PulledBytes
  private var scanner: AnnexBScanner
  private var boundary = AccessUnitBoundary()
  private var current: [[UInt8]] = []
  private var whole: [[[UInt8]]] = []
  /// The index of the first of `whole` that was not returned yet.
  private var position = 0
  private var isOver = false

  init(_ bytes: PulledBytes, limits: Limits) {
    self.bytes = bytes
    scanner = AnnexBScanner(limit: limits.bytes)
  }

  /// Returns the NAL units of the next access unit; `nil` after the last.
  mutating func next() throws -> [[UInt8]]? {
    while position == whole.count {
      guard !isOver else { return nil }
      whole.removeAll(keepingCapacity: true)
      position = 0
      try pull()
    }
    position += 1
    return whole[position - 1]
  }

  private mutating func pull() throws {
    var units: [[UInt8]] = []
    if let piece = try bytes.next() {
      try scanner.append(piece.span) { unit in units.append(Array(unit)) }
    } else {
      isOver = true
      try scanner.finish { unit in units.append(Array(unit)) }
    }
    for unit in units where unit.count >= NALUnitHeader.size {
      if boundary.begins(unit), !current.isEmpty { close() }
      current.append(unit)
    }
    if isOver, !current.isEmpty { close() }
  }

  private mutating func close() {
    whole.append(current)
    current = []
  }
}
