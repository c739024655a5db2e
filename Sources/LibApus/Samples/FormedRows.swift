// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills

/// Receives rows in the form that a caller requested.
protocol RowTaker: AnyObject {
  func begin(_ layout: SampleLayout) throws
  /// Writes one or more rows, without gaps.
  func write(_ rows: UnsafeRawBufferPointer) throws
}

/// Converts samples to the requested form.
///
/// It may cross threads because the engine passes on one band at a time.
final class FormedRows: SampleReceiver, @unchecked Sendable {
  private let form: SampleForm
  private let taker: any RowTaker
  private var source = SampleLayout(width: 0, height: 0, channels: .gray, bitsPerChannel: 8)
  private(set) var layout = SampleLayout(width: 0, height: 0, channels: .gray, bitsPerChannel: 8)
  private var formed: [UInt8] = []
  private var row = 0

  init(_ form: SampleForm, into taker: any RowTaker) {
    self.form = form
    self.taker = taker
  }

  func begin(_ layout: SampleLayout) throws {
    source = layout
    self.layout = try form.layout(of: layout)
    formed = layout == self.layout ? [] : [UInt8](repeating: 0, count: self.layout.bytesPerRow)
    row = 0
    try taker.begin(self.layout)
  }

  func write(rows: Span<UInt8>) throws {
    let length = source.bytesPerRow
    guard length > 0, rows.count % length == 0, rows.count / length <= source.height - row else {
      throw MediaError(.misuse, "rows of another picture")
    }
    row += rows.count / length
    try unsafe rows.withUnsafeBytes { bytes throws in
      guard layout != source else { return try unsafe taker.write(bytes) }
      for start in stride(from: 0, to: bytes.count, by: length) {
        let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
        try unsafe formed.withUnsafeMutableBytes { into throws in
          unsafe convert(line, into)
          try unsafe taker.write(UnsafeRawBufferPointer(into))
        }
      }
    }
  }

  private func convert(_ from: UnsafeRawBufferPointer, _ into: UnsafeMutableRawBufferPointer) {
    switch (source.bitsPerChannel, layout.bitsPerChannel) {
    case (8, 8) where source.channels == .rgb && layout.channels == .rgba:
      unsafe addAlpha(from, into)
    case (8, 8):
      unsafe convert(from.bindMemory(to: UInt8.self), into.bindMemory(to: UInt8.self)) { $0 }
    case (8, _):
      unsafe convert(from.bindMemory(to: UInt8.self), into.bindMemory(to: UInt16.self)) {
        UInt16($0) * 257
      }
    case (_, 8):
      // Rounded to nearest; black and white are exact.
      unsafe convert(from.bindMemory(to: UInt16.self), into.bindMemory(to: UInt8.self)) {
        UInt8(truncatingIfNeeded: (Int($0) * 255 + 32_767) / 65_535)
      }
    default:
      unsafe convert(from.bindMemory(to: UInt16.self), into.bindMemory(to: UInt16.self)) { $0 }
    }
  }

  /// Adds full alpha to red, green and blue of 8 bits, each pixel in one step.
  private func addAlpha(
    _ from: UnsafeRawBufferPointer, _ into: UnsafeMutableRawBufferPointer
  ) {
    let alpha = UInt32(littleEndian: 0xff00_0000)
    let last = source.width - 1
    for column in 0..<last {
      let pixel = unsafe from.loadUnaligned(fromByteOffset: 3 &* column, as: UInt32.self)
      unsafe into.storeBytes(of: pixel | alpha, toByteOffset: 4 &* column, as: UInt32.self)
    }
    for sample in 0..<3 { unsafe into[4 * last + sample] = from[3 * last + sample] }
    unsafe into[4 * last + 3] = 255
  }

  private func convert<Sample, Wanted: FixedWidthInteger>(
    _ from: UnsafeBufferPointer<Sample>, _ into: UnsafeMutableBufferPointer<Wanted>,
    _ wanted: (Sample) -> Wanted
  ) {
    let (channels, all) = (source.channels.rawValue, layout.channels.rawValue)
    let isGray = source.channels.isGray
    let colours = layout.channels.isGray ? 1 : 3
    for column in 0..<source.width {
      let (sample, result) = (column * channels, column * all)
      for colour in 0..<colours {
        unsafe into[result + colour] = wanted(from[sample + (isGray ? 0 : colour)])
      }
      guard layout.channels.hasAlpha else { continue }
      unsafe into[result + colours] =
        source.channels.hasAlpha ? wanted(from[sample + channels - 1]) : Wanted.max
    }
  }

  /// Throws if not all rows came.
  func finish() throws(MediaError) {
    guard row == layout.height else {
      throw MediaError(.incomplete, "\(row) of \(layout.height) rows came")
    }
  }
}
