// SPDX-License-Identifier: MIT

internal import AVC
package import ApusBytes
internal import HEVC

/// The NAL units of a bare stream (Annex B), picture by picture, with those that precede each; a field of H.264 counts as
/// a picture. The stream is read in pieces.
package struct StreamUnits: Sendable {
  private let source: any ByteSource
  private let isAVC: Bool
  private var reader: UnitReader
  private var scanner: AnnexBScanner
  private var boundary = AccessUnitBoundary()
  private var hasSlice = false
  private var position = 0
  private var number = 0
  private var current: [UnitSyntax] = []
  private var complete: [[UnitSyntax]] = []
  private var isOver = false

  private static let piece = 1 << 18
  /// The maximum number of units in one picture.
  private static let most = 1 << 13

  package init(in source: any ByteSource, isAVC: Bool, limits: Limits = Limits()) {
    self.source = source
    self.isAVC = isAVC
    reader = UnitReader(isAVC: isAVC, limits: limits)
    scanner = AnnexBScanner(limit: limits.bytes)
  }

  /// Returns the next picture; `nil` after the last.
  package mutating func next() throws(SyntaxError) -> DataUnits? {
    while complete.isEmpty {
      guard !isOver else { return nil }
      try read()
    }
    let units = complete.removeFirst()
    number += 1
    let start = units.first?.range.lowerBound ?? 0
    var picture = DataUnits(.picture(number), start..<(units.last?.range.upperBound ?? start))
    picture.units = units
    return picture
  }

  private mutating func read() throws(SyntaxError) {
    var found: [(offset: Int, head: [UInt8], count: Int)] = []
    func add(_ offset: Int, _ unit: ArraySlice<UInt8>) {
      if !unit.isEmpty { found.append((offset, Array(unit.prefix(3)), unit.count)) }
    }
    if position < source.count {
      let end = min(position + Self.piece, source.count)
      let bytes = try source.bytes(in: position..<end)
      position = end
      try scanner.append(located: bytes.span, add)
    } else {
      isOver = true
      try scanner.end(add)
    }
    for unit in found {
      if begins(unit.head) || current.count >= Self.most, !current.isEmpty { close() }
      current.append(
        try reader.next(Extent(source, unit.offset..<unit.offset + unit.count)))
    }
    if isOver, !current.isEmpty { close() }
  }

  private mutating func close() {
    complete.append(current)
    current = []
  }

  /// Returns whether a unit is the first of a picture: ITU-T H.265, 7.4.2.4.4; ITU-T H.264, 7.4.1.2.3.
  private mutating func begins(_ head: [UInt8]) -> Bool {
    guard isAVC else { return boundary.begins(head) }
    let type = AVCNALUnitType(firstByte: head[0])
    if type.isVCL {
      // The address of the first macroblock is 0 if its first bit is 1.
      let isFirst = type.startsSlice && head.count > 1 && head[1] & 0x80 != 0
      defer { hasSlice = true }
      return hasSlice && isFirst
    }
    guard hasSlice, (6...9).contains(type.rawValue) || (14...18).contains(type.rawValue) else {
      return false
    }
    hasSlice = false
    return true
  }
}
