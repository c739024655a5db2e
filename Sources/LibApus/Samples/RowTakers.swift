// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills
import CApus

/// Memory that a caller provides for all rows.
@safe final class CallerMemory: RowTaker {
  private let allocate: apus_allocate
  private let context: UnsafeMutableRawPointer?
  private var memory: UnsafeMutableRawPointer?
  private var layout = SampleLayout(width: 0, height: 0, channels: .gray, bitsPerChannel: 8)
  private var stride = 0
  private var row = 0

  init(_ allocate: @escaping apus_allocate, _ context: UnsafeMutableRawPointer?) {
    unsafe self.allocate = allocate
    unsafe self.context = context
  }

  func begin(_ layout: SampleLayout) throws {
    self.layout = layout
    var wanted = try apus_layout(layout)
    let memory = unsafe allocate(context, &wanted)
    guard let memory = unsafe memory else {
      throw MediaError(.cancelled, "the caller gave no memory")
    }
    guard wanted.stride >= layout.bytesPerRow else {
      throw MediaError(.misuse, "the stride is \(wanted.stride), less than a row")
    }
    unsafe self.memory = memory
    (stride, row) = (wanted.stride, 0)
  }

  func write(_ rows: UnsafeRawBufferPointer) throws {
    guard let memory = unsafe memory, let first = rows.baseAddress else { return }
    let length = layout.bytesPerRow
    let count = rows.count / length
    guard count <= layout.height - row else {
      throw MediaError(.misuse, "there are more rows than the picture has")
    }
    for index in 0..<count {
      unsafe (memory + (row + index) * stride)
        .copyMemory(from: first + index * length, byteCount: length)
    }
    row += count
  }
}

/// Functions of a caller that receive rows as they come.
@safe final class CallerFunctions: RowTaker {
  private let functions: apus_rows
  private let rows: @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, Int) -> Int32

  init(_ functions: apus_rows) throws(MediaError) {
    guard unsafe functions.size >= MemoryLayout<apus_rows>.size else {
      throw MediaError(.misuse, "rows has another size")
    }
    guard let rows = unsafe functions.rows else { throw .missing("rows.rows") }
    unsafe self.functions = functions
    unsafe self.rows = rows
  }

  func begin(_ layout: SampleLayout) throws {
    guard let begin = unsafe functions.begin else { return }
    var layout = try apus_layout(layout)
    try check(unsafe begin(functions.context, &layout))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try check(unsafe rows(functions.context, bytes.baseAddress, bytes.count))
  }

  private func check(_ status: Int32) throws(MediaError) {
    guard status == 0 else { throw MediaError(.cancelled, "the caller took no more rows") }
  }
}

extension apus_layout {
  init(_ layout: SampleLayout) throws(MediaError) {
    self.init()
    size = MemoryLayout<apus_layout>.size
    try set(layout)
  }
}
