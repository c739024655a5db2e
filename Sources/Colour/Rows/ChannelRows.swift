// SPDX-License-Identifier: MIT

internal import Media

/// Two rows of a band at a time as channels: what colours add, narrow and wide, and the channels themselves.
///
/// Two, because that is what a row of 4:2:0 colour belongs to; the last two may be one. Bands are read from top to
/// bottom, for what colours add is kept for the rows that follow.
struct ChannelRows: ~Copyable {
  let reader: ChannelReader
  let scratch: RowScratch
  private let interpolation: ColourInterpolation

  init(_ reader: ChannelReader, _ interpolation: ColourInterpolation = .none) {
    self.reader = reader
    self.interpolation = interpolation
    scratch = RowScratch(width: reader.format.width, rows: interpolation.down == nil ? 24 : 33)
  }

  private var shiftX: Int { reader.format.chroma.shiftX }
  private var shiftY: Int { reader.format.chroma.shiftY }
  /// Whether both rows have the same colours.
  private var isShared: Bool { shiftY == 1 && interpolation.down == nil }

  /// What colours add in the first or second row, at the width of the colour planes.
  @unsafe func narrow(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row((isShared ? 0 : row * 3) + channel)
  }

  /// The same at full width.
  @unsafe func wide(_ row: Int, _ channel: Int) -> RowKernels.Row {
    shiftX == 0
      ? unsafe narrow(row, channel) : unsafe scratch.row(6 + (isShared ? 0 : row * 3) + channel)
  }

  @unsafe func value(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row(12 + row * 3 + channel)
  }

  @unsafe func alpha(_ row: Int) -> RowKernels.Row { unsafe scratch.row(18 + row) }

  /// Four rows to work in.
  @unsafe func spare(_ index: Int) -> RowKernels.Row { unsafe scratch.row(20 + index) }

  /// What colours add in a row of the colour planes, from -1 on: one of three that are kept.
  @unsafe private func kept(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row(24 + (row + 3) % 3 * 3 + channel)
  }

  /// Reads what colours add to the channels, from the row `top` of the band and the one below it.
  @unsafe func readColours(
    _ band: PictureView, edges: ColourEdges = ColourEdges(), top: Int, count: Int,
    widening: Range<Int>
  ) {
    if let down = interpolation.down {
      unsafe interpolate(band, edges, top: top, count: count, by: down)
    } else {
      for row in 0..<(isShared ? 1 : count) {
        let line = unsafe band.colours((top + row) >> shiftY)
        for channel in reader.factors.indices {
          unsafe reader.readColours(line, channel: channel, into: narrow(row, channel))
        }
      }
    }
    guard shiftX == 1 else { return }
    for row in 0..<(isShared ? 1 : count) {
      for channel in reader.factors.indices where widening.contains(channel) {
        let (narrow, wide) = unsafe (narrow(row, channel), wide(row, channel))
        if let across = interpolation.across {
          unsafe RowKernels.widen(
            narrow, count: reader.format.width, by: (across.before, across.after), into: wide)
        } else {
          unsafe RowKernels.widen(narrow, count: reader.format.width, into: wide)
        }
      }
    }
  }

  /// Makes what colours add in two rows of that in the three rows of colours around them.
  @unsafe private func interpolate(
    _ band: PictureView, _ edges: ColourEdges, top: Int, count: Int,
    by parts: ColourInterpolation.Parts
  ) {
    let own = top >> 1
    for row in (top == 0 ? -1 : own + 1)...own + 1 {
      let line = unsafe colours(row, of: band, edges)
      for channel in reader.factors.indices {
        unsafe reader.readColours(line, channel: channel, into: kept(row, channel))
      }
    }
    for row in 0..<count {
      let part = row == 0 ? parts.before : parts.after
      for channel in reader.factors.indices {
        unsafe RowKernels.move(
          kept(own, channel), towards: kept(row == 0 ? own - 1 : own + 1, channel), by: part,
          count: reader.format.width(ofPlane: 1), into: narrow(row, channel))
      }
    }
  }

  /// A row of the colour planes; that of the band above or below where it lies beyond this one, and the last one again
  /// where the picture ends.
  @unsafe private func colours(_ row: Int, of band: PictureView, _ edges: ColourEdges)
    -> ColourLine?
  {
    let last = unsafe band.format.height(ofPlane: 1) - 1
    if row < 0, let above = edges.above { return unsafe above.line }
    if row > last, let below = edges.below { return unsafe below.line }
    return unsafe band.colours(min(max(row, 0), last))
  }

  /// Makes whole channels of it.
  @unsafe func readChannels(_ band: PictureView, top: Int, count: Int, channels: Range<Int>) {
    for row in 0..<count {
      for channel in channels {
        unsafe reader.read(
          band, row: top + row, channel: channel, colours: wide(row, channel),
          into: value(row, channel))
      }
    }
  }
}
