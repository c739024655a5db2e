// SPDX-License-Identifier: MIT

import CApus
import Media
import Stills

/// Puts samples into memory of the caller, in the form that was asked for.
///
/// May cross threads because the engine hands on one band at a time.
@safe final class CallerRows: SampleReceiver, @unchecked Sendable {
  private let form: SampleForm
  private let allocate: apus_allocate
  private let context: UnsafeMutableRawPointer?
  private var source = SampleLayout(width: 0, height: 0, channels: .gray, bitsPerChannel: 8)
  private(set) var layout = SampleLayout(width: 0, height: 0, channels: .gray, bitsPerChannel: 8)
  private(set) var stride = 0
  private var memory: UnsafeMutableRawPointer?
  private var row = 0

  init(
    _ form: SampleForm, _ allocate: @escaping apus_allocate, _ context: UnsafeMutableRawPointer?
  ) {
    self.form = form
    unsafe self.allocate = allocate
    unsafe self.context = context
  }

  func begin(_ layout: SampleLayout) throws {
    source = layout
    self.layout = try form.layout(of: layout)
    var wanted = apus_layout()
    wanted.size = MemoryLayout<apus_layout>.size
    try wanted.set(self.layout)
    let memory = unsafe allocate(context, &wanted)
    guard let memory = unsafe memory else {
      throw MediaError(.cancelled, "the caller gave no memory")
    }
    guard wanted.stride >= self.layout.bytesPerRow else {
      throw MediaError(.misuse, "the stride is \(wanted.stride), less than a row")
    }
    unsafe self.memory = memory
    stride = wanted.stride
    row = 0
  }

  func write(rows: Span<UInt8>) throws {
    let length = source.bytesPerRow
    guard let memory = unsafe memory, length > 0, rows.count % length == 0,
      rows.count / length <= source.height - row
    else { throw MediaError(.misuse, "rows of another picture") }
    unsafe rows.withUnsafeBytes { bytes in
      for start in Swift.stride(from: 0, to: bytes.count, by: length) {
        guard let from = unsafe bytes.baseAddress.map({ unsafe $0 + start }) else { return }
        let into = unsafe memory + row * stride
        if layout == source {
          unsafe into.copyMemory(from: from, byteCount: length)
        } else if source.bitsPerChannel == 8 {
          unsafe convert(from.assumingMemoryBound(to: UInt8.self), into)
        } else {
          unsafe convert(from.assumingMemoryBound(to: UInt16.self), into)
        }
        row += 1
      }
    }
  }

  private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafePointer<Sample>, _ into: UnsafeMutableRawPointer
  ) {
    if layout.bitsPerChannel == 8 {
      unsafe convert(from, into.assumingMemoryBound(to: UInt8.self))
    } else {
      unsafe convert(from, into.assumingMemoryBound(to: UInt16.self))
    }
  }

  /// Rounds to the nearest where samples become shorter; black and white stay what they are.
  private func convert<Sample, Wanted>(
    _ from: UnsafePointer<Sample>, _ into: UnsafeMutablePointer<Wanted>
  ) where Sample: FixedWidthInteger & UnsignedInteger, Wanted: FixedWidthInteger & UnsignedInteger {
    func wanted(_ sample: Sample) -> Wanted {
      if Sample.bitWidth == Wanted.bitWidth { return Wanted(truncatingIfNeeded: sample) }
      if Sample.bitWidth < Wanted.bitWidth { return Wanted(truncatingIfNeeded: Int(sample) * 257) }
      return Wanted(truncatingIfNeeded: (Int(sample) * 255 + 32_767) / 65_535)
    }
    let (channels, all) = (source.channels.rawValue, layout.channels.rawValue)
    let (isGray, becomesGray) = (source.channels.isGray, layout.channels.isGray)
    let colours = becomesGray ? 1 : 3
    for column in 0..<source.width {
      let sample = unsafe from + column * channels
      let result = unsafe into + column * all
      for colour in 0..<colours { unsafe result[colour] = wanted(sample[isGray ? 0 : colour]) }
      if layout.channels.hasAlpha {
        unsafe result[colours] =
          source.channels.hasAlpha ? wanted(sample[channels - 1]) : Wanted.max
      }
    }
  }

  /// Throws where not every row came.
  func finish() throws(MediaError) {
    guard row == layout.height else {
      throw MediaError(.incomplete, "\(row) of \(layout.height) rows came")
    }
  }
}
