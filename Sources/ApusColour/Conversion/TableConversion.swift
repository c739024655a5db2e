// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A conversion of samples independently of each other: another range, fewer bits, other colour subsampling. Colours
/// are not mixed, so samples are looked up in tables.
final class TableConversion: Sendable {
  private let source: PictureFormat
  private let chroma: Chroma
  /// The tables of luma and of colours, with the sample in 256ths for each code.
  private let tables: [[UInt16]]
  private let thresholds: [UInt8]

  /// - Parameter isWidened: whether limited range becomes full range; otherwise the range is kept.
  init(_ source: PictureFormat, isFullRange: Bool, isWidened: Bool, chroma: Chroma) {
    self.source = source
    self.chroma = chroma
    let codes = 0..<(1 << source.bitDepth)
    let unit = Double(1 << (source.bitDepth - 8))
    let top = Double(codes.count - 1)
    let luma: (Double) -> Double
    let colours: (Double) -> Double
    if isFullRange {
      luma = { $0 * 255 / top }
      colours = { ($0 - 128 * unit) * 255 / top + 128 }
    } else if isWidened {
      luma = { ($0 - 16 * unit) * 255 / (219 * unit) }
      colours = { ($0 - 128 * unit) * 255 / (224 * unit) + 128 }
    } else {
      luma = { $0 / unit }
      colours = luma
    }
    tables = [luma, colours].map { function in
      let values = codes.map { min(max(function(Double($0)), 0), 255) }
      return (isFullRange ? Self.snapped(values) : values).map { UInt16(($0 * 256).rounded()) }
    }
    thresholds =
      source.bitDepth > 8
      ? Dither.thresholds : Array(repeating: 128, count: Dither.side * Dither.side)
  }

  /// Snaps the closest code to each 8-bit value, so that 8 bits that were only stored in more bits are restored;
  /// dithering would scatter them.
  private static func snapped(_ values: [Double]) -> [Double] {
    values.indices.map { index in
      let value = values[index]
      let distance = (value - value.rounded()).magnitude
      let neighbours = [max(index - 1, 0), min(index + 1, values.count - 1)]
      let isNearest = neighbours.allSatisfy {
        values[$0] == value || (values[$0] - value.rounded()).magnitude > distance
      }
      return isNearest ? value.rounded() : value
    }
  }

  @unsafe func convert(_ band: PictureView, at y: Int, into output: Picture) {
    if source.bytesPerSample == 1 {
      unsafe convert(band, at: y, into: output, UInt8.self)
    } else {
      unsafe convert(band, at: y, into: output, UInt16.self)
    }
  }

  @unsafe private func convert<S: StoredSample>(
    _ band: PictureView, at y: Int, into output: Picture, _ type: S.Type
  ) {
    let spare = UnsafeMutablePointer<S>.allocate(capacity: source.width)
    defer { unsafe spare.deallocate() }
    for plane in 0..<output.format.planeCount {
      let shift = plane == 0 ? 0 : chroma.shiftY
      let count = output.format.width(ofPlane: plane)
      unsafe tables[min(plane, 1)].withUnsafeBufferPointer { table in
        for row in 0..<output.format.height(ofPlane: plane) {
          let line = unsafe (output.plane(plane) + row * output.strides[plane])
            .assumingMemoryBound(to: UInt8.self)
          guard let samples = unsafe samples(band, plane: plane, row: row, spare: spare) else {
            unsafe line.update(repeating: 128, count: count)
            continue
          }
          unsafe lookUp(samples, count: count, in: table, at: (y >> shift) + row, into: line)
        }
      }
    }
  }

  /// Returns a row of a plane with as many samples as the output has; `nil` if the source has no such plane.
  @unsafe private func samples<S: StoredSample>(
    _ band: PictureView, plane: Int, row: Int, spare: UnsafeMutablePointer<S>
  ) -> UnsafePointer<S>? {
    guard plane < source.planeCount else { return nil }
    let line = { (row: Int) in
      unsafe band.line(row, ofPlane: plane).assumingMemoryBound(to: S.self)
    }
    guard plane > 0, chroma != source.chroma else { return unsafe line(row) }
    let top = (row << chroma.shiftY) >> source.chroma.shiftY
    let last = unsafe band.format.height(ofPlane: plane) - 1
    let bottom = chroma.shiftY > source.chroma.shiftY ? min(top + 1, last) : top
    unsafe ColourResampling.resample(
      line(top), line(bottom), width: source.width, from: source.chroma, to: chroma, into: spare)
    return unsafe UnsafePointer(spare)
  }

  @unsafe private func lookUp<S: StoredSample>(
    _ samples: UnsafePointer<S>, count: Int, in table: UnsafeBufferPointer<UInt16>, at place: Int,
    into line: UnsafeMutablePointer<UInt8>
  ) {
    guard let table = table.baseAddress else { return }
    // No sample exceeds the table, whatever a decoder left in unused bits.
    let mask = S(truncatingIfNeeded: 1 << source.bitDepth - 1)
    let start = (place & (Dither.side - 1)) * Dither.side
    unsafe thresholds.withUnsafeBufferPointer { thresholds in
      guard let base = thresholds.baseAddress else { return }
      let row = unsafe base + start
      for x in 0..<count {
        let value = unsafe UInt32(table[Int(truncatingIfNeeded: samples[x] & mask)])
        let threshold = unsafe UInt32(row[x & (Dither.side &- 1)])
        unsafe line[x] = UInt8(truncatingIfNeeded: (value &+ threshold) >> 8)
      }
    }
  }
}
