// SPDX-License-Identifier: MIT

/// A value for each unit of a picture, with a margin so that readers need not check for the edges of the picture.
@unsafe struct UnitMap {
  let stride: Int
  private let memory: UnsafeMutablePointer<UInt8>
  private let origin: UnsafeMutablePointer<UInt8>
  private let count: Int

  /// The width of the margin: the number of units in the references on one side of the largest block.
  private static var margin: Int { 16 }

  init(columns: Int, rows: Int) {
    unsafe stride = columns + Self.margin + 1
    unsafe count = stride * (rows + Self.margin + 1)
    unsafe memory = .allocate(capacity: count)
    unsafe origin = memory + (stride + 1)
  }

  func deallocate() { unsafe memory.deallocate() }

  func clear(_ value: UInt8) { unsafe memory.initialize(repeating: value, count: count) }

  @inline(__always)
  subscript(x: Int, y: Int) -> UnsafeMutablePointer<UInt8> { unsafe origin + (y &* stride &+ x) }

  @inline(__always)
  func fill(_ x: Int, _ y: Int, _ side: Int, _ value: UInt8) {
    var row = unsafe self[x, y]
    for _ in 0..<side {
      for index in 0..<side { unsafe row[index] = value }
      unsafe row += stride
    }
  }
}
