// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Two rows of a band at a time as channels: contributions of colours, narrow and wide, and the channels themselves.
///
/// Two, because a row of 4:2:0 colour belongs to two rows; the last time there may be only one. Bands are read from top
/// to bottom, because contributions of colours are kept for the following rows.
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

  /// Returns the contribution of colours in the first or second row, at the width of the colour planes.
  @unsafe func narrow(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row((isShared ? 0 : row * 3) + channel)
  }

  /// Returns the contribution of colours at full width.
  @unsafe func wide(_ row: Int, _ channel: Int) -> RowKernels.Row {
    shiftX == 0
      ? unsafe narrow(row, channel) : unsafe scratch.row(6 + (isShared ? 0 : row * 3) + channel)
  }

  @unsafe func value(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row(12 + row * 3 + channel)
  }

  @unsafe func alpha(_ row: Int) -> RowKernels.Row { unsafe scratch.row(18 + row) }

  /// Returns one of four scratch rows.
  @unsafe func spare(_ index: Int) -> RowKernels.Row { unsafe scratch.row(20 + index) }

  /// Returns the contribution of colours for a row of the colour planes, from -1: one of three that are kept.
  @unsafe private func kept(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row(24 + (row + 3) % 3 * 3 + channel)
  }

  /// Reads the contributions of colours to the channels, for the row `top` of the band and the one below it.
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

  /// Interpolates the contributions of colours in two rows from the three surrounding rows of colours.
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

  /// Returns a row of the colour planes, from the band above or below if it is outside this one; the last row is
  /// repeated at the edge of the picture.
  @unsafe private func colours(_ row: Int, of band: PictureView, _ edges: ColourEdges)
    -> ColourLine?
  {
    let last = unsafe band.format.height(ofPlane: 1) - 1
    if row < 0, let above = edges.above { return unsafe above.line }
    if row > last, let below = edges.below { return unsafe below.line }
    return unsafe band.colours(min(max(row, 0), last))
  }

  /// Computes whole channels from the contributions.
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
