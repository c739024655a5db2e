// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The conversion of one band by a `PixelConversion`, two rows at a time.
///
/// Without alpha and changes of light, a sample is converted from its plane to the output in one step; otherwise whole
/// channels are kept for the two rows. Pointers are safe because `SampleConversion` has compared the formats of band,
/// alpha and output before.
@safe struct BandPass<Output: StoredSample>: ~Copyable {
  private let conversion: PixelConversion
  private let band: PictureView
  private let alpha: PictureView?
  private let edges: ColourEdges
  private let y: Int
  private let output: Picture
  private let rows: ChannelRows
  private let width: Int
  private let height: Int

  init(
    _ conversion: PixelConversion, _ band: PictureView, alpha: PictureView?, edges: ColourEdges,
    at y: Int,
    into output: Picture
  ) {
    self.conversion = conversion
    unsafe self.band = unsafe band
    unsafe self.alpha = unsafe alpha
    self.edges = edges
    self.y = y
    self.output = output
    rows = ChannelRows(conversion.reader, conversion.interpolation)
    width = unsafe band.format.width
    height = unsafe band.format.height
  }

  func run() {
    let reader = conversion.reader
    let hasAlpha = unsafe alpha != nil || conversion.target.hasAlpha
    let isWhole = conversion.light != nil || hasAlpha
    for top in stride(from: 0, to: height, by: 2) {
      let count = min(2, height - top)
      if isWhole {
        unsafe rows.readColours(band, edges: edges, top: top, count: count, widening: 0..<3)
        unsafe rows.readChannels(
          band, top: top, count: count, channels: 0..<reader.factors.count)
        for row in 0..<count { finish(row, at: top + row) }
        for row in 0..<count { storePixels(row, at: top + row) }
        storeColours(top, count: count, isWide: true)
      } else if case .pixels = conversion.target {
        let isDirect = directParts != nil
        unsafe rows.readColours(
          band, edges: edges, top: top, count: count, widening: isDirect ? 0..<0 : 0..<3)
        for row in 0..<count { convertPixels(row, at: top + row) }
      } else {
        unsafe rows.readColours(band, edges: edges, top: top, count: count, widening: 0..<1)
        for row in 0..<count { convertLuma(row, at: top + row) }
        let isWide = !reader.hasNarrowColours
        if isWide { unsafe rows.readChannels(band, top: top, count: count, channels: 1..<3) }
        storeColours(top, count: count, isWide: isWide)
      }
    }
  }

  // MARK: In one step

  /// The horizontal interpolation of colours, if it can be combined with the other conversions in one step.
  private var directParts: ColourInterpolation.Parts? {
    Output.self == UInt8.self && conversion.reader.makesPixels
      ? conversion.interpolation.across : nil
  }

  private func convertPixels(_ row: Int, at place: Int) {
    let channels = conversion.reader.factors.count
    let line = unsafe self.line(place, ofPlane: 0)
    if let parts = directParts {
      return unsafe withOffsets(y + place) { offsets in
        unsafe conversion.reader.readPixels(
          band, row: place, colours: rows.narrow(row, 0), spacing: rows.scratch.spacing, by: parts,
          offsets: offsets, into: UnsafeMutableRawPointer(line).assumingMemoryBound(to: UInt8.self))
      }
    }
    guard channels > 1 else { return unsafe read(row, 0, at: place, into: line) }
    let spacing = rows.scratch.spacing
    let lines = unsafe rows.scratch.lines(of: Output.self)
    for channel in 0..<3 {
      unsafe read(row, channel, at: place, into: lines + channel * spacing)
    }
    unsafe RowKernels.interleave3(lines, spacing: spacing, count: width, into: line)
  }

  private func convertLuma(_ row: Int, at place: Int) {
    unsafe read(row, 0, at: place, into: line(place, ofPlane: 0))
  }

  private func read(
    _ row: Int, _ channel: Int, at place: Int, into line: UnsafeMutablePointer<Output>
  ) {
    unsafe withOffsets(y + place) { offsets in
      unsafe conversion.reader.read(
        band, row: place, channel: channel, colours: rows.wide(row, channel), offsets: offsets,
        into: line)
    }
  }

  // MARK: Through whole channels

  /// Converts the channels that were read to those of the output.
  private func finish(_ row: Int, at place: Int) {
    let coverage = unsafe rows.alpha(row)
    let description = conversion.alpha ?? AlphaDescription()
    let channels = conversion.mixing.count
    if let alpha = unsafe alpha {
      unsafe alpha.readAlpha(row: place, description, into: coverage)
    } else {
      unsafe RowKernels.fill(coverage, count: width, with: 1)
    }
    let isMultiplied = description.isPremultiplied
    let isDivided = isMultiplied && (conversion.light != nil || conversion.target.hasAlpha)
    if isDivided {
      for channel in 0..<conversion.reader.factors.count {
        unsafe RowKernels.divide(rows.value(row, channel), alpha: coverage, count: width)
      }
    }
    if let light = conversion.light {
      unsafe light.apply(rows, row, count: width, at: y + place, of: conversion.height)
      mix(row)
    }
    guard !conversion.target.hasAlpha, unsafe alpha != nil else { return }
    for channel in 0..<channels {
      let behind = conversion.background[channel]
      let value = unsafe rows.value(row, channel)
      if isMultiplied && !isDivided {
        unsafe RowKernels.blendMultiplied(
          value, alpha: coverage, count: width, behind: behind - conversion.zero[channel])
      } else {
        unsafe RowKernels.blend(value, alpha: coverage, count: width, behind: behind)
      }
    }
  }

  /// Converts red, green and blue to the channels of the output.
  private func mix(_ row: Int) {
    for channel in conversion.mixing.indices {
      unsafe RowKernels.mix(
        rows.value(row, 0), rows.value(row, 1), rows.value(row, 2), count: width,
        by: conversion.mixing[channel], into: rows.spare(channel))
    }
    for channel in conversion.mixing.indices {
      unsafe rows.value(row, channel).update(from: rows.spare(channel), count: width)
    }
  }

  /// Stores interleaved pixels, or luma.
  private func storePixels(_ row: Int, at place: Int) {
    let line = unsafe self.line(place, ofPlane: 0)
    guard case .pixels(let layout, _) = conversion.target, layout != .grey else {
      return unsafe store(rows.value(row, 0), count: width, at: y + place, into: line)
    }
    let spacing = rows.scratch.spacing
    let lines = unsafe rows.scratch.lines(of: Output.self)
    for channel in 0..<layout.colourCount {
      unsafe store(
        rows.value(row, channel), count: width, at: y + place, into: lines + channel * spacing)
    }
    if layout.hasAlpha {
      let coverage = unsafe rows.alpha(row)
      for x in 0..<width { unsafe coverage[x] = coverage[x] * Output.top }
      unsafe store(
        coverage, count: width, at: y + place, into: lines + layout.colourCount * spacing)
    }
    unsafe RowKernels.interleave(
      lines, spacing: spacing, samples: layout.sampleCount, count: width, into: line)
  }

  // MARK: Colour planes

  /// - Parameter isWide: whether the channels have the size of luma instead of that of the source's colour planes.
  private func storeColours(_ top: Int, count: Int, isWide: Bool) {
    guard let chroma = conversion.target.chroma, chroma != .monochrome else { return }
    let source = isWide ? .yuv444 : conversion.reader.format.chroma
    for channel in 1..<3 {
      let first = unsafe isWide ? rows.value(0, channel) : rows.narrow(0, channel)
      let second = unsafe isWide ? rows.value(1, channel) : rows.narrow(1, channel)
      if chroma.shiftY == 0 {
        for row in 0..<count {
          unsafe storeColour(
            row == 0 ? first : second, channel, at: top + row, from: source, to: chroma)
        }
      } else {
        if source.shiftY == 0, count == 2 {
          unsafe RowKernels.average(first, second, count: width, into: first)
        }
        unsafe storeColour(first, channel, at: top / 2, from: source, to: chroma)
      }
    }
  }

  /// - Parameter place: the row in the output's plane.
  private func storeColour(
    _ row: RowKernels.Row, _ channel: Int, at place: Int, from source: Chroma, to chroma: Chroma
  ) {
    let spare = unsafe rows.spare(3)
    var samples = unsafe row
    if source.shiftX == 0, chroma.shiftX == 1 {
      unsafe RowKernels.narrow(row, count: width, into: spare)
      unsafe samples = unsafe spare
    } else if source.shiftX == 1, chroma.shiftX == 0 {
      unsafe RowKernels.widen(row, count: width, into: spare)
      unsafe samples = unsafe spare
    }
    unsafe store(
      samples, count: output.format.width(ofPlane: channel), at: (y >> chroma.shiftY) + place,
      into: line(place, ofPlane: channel))
  }

  // MARK: Rows

  private func store(
    _ row: RowKernels.Row, count: Int, at place: Int, into line: UnsafeMutablePointer<Output>
  ) {
    unsafe withOffsets(place) { offsets in
      unsafe RowKernels.store(row, count: count, offsets: offsets, into: line)
    }
  }

  private func line(_ row: Int, ofPlane plane: Int) -> UnsafeMutablePointer<Output> {
    unsafe (output.plane(plane) + row * output.strides[plane])
      .assumingMemoryBound(to: Output.self)
  }

  /// Passes the row of the dither pattern for a row of the whole picture's plane.
  private func withOffsets(_ place: Int, _ body: (UnsafePointer<Float>) -> Void) {
    unsafe conversion.offsets.withUnsafeBufferPointer { offsets in
      guard let base = offsets.baseAddress else { return }
      unsafe body(base + (place & (Dither.side - 1)) * Dither.side)
    }
  }
}

extension PictureView {
  /// Reads a row of alpha as numbers from 0 to 1.
  @unsafe fileprivate func readAlpha(
    row: Int, _ description: AlphaDescription, into output: RowKernels.Row
  ) {
    let top = unsafe Float(1 << format.bitDepth - 1)
    let unit = unsafe Float(1 << (format.bitDepth - 8))
    let scale = description.isFullRange ? 1 / top : 1 / (219 * unit)
    let offset: Float = description.isFullRange ? 0 : -16 / 219
    if unsafe format.bytesPerSample == 1 {
      unsafe RowKernels.load(
        line(row, ofPlane: 0).assumingMemoryBound(to: UInt8.self), count: format.width,
        scale: scale, offset: offset, into: output)
    } else {
      unsafe RowKernels.load(
        line(row, ofPlane: 0).assumingMemoryBound(to: UInt16.self), count: format.width,
        scale: scale, offset: offset, into: output)
    }
  }
}
