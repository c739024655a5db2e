// SPDX-License-Identifier: MIT

internal import Media

/// Two rows of a band at a time as channels: what colours add, narrow and wide, and the channels themselves.
///
/// Two, because that is what a row of 4:2:0 colour belongs to; the last two may be one.
struct ChannelRows: ~Copyable {
  let reader: ChannelReader
  let scratch: RowScratch

  init(_ reader: ChannelReader) {
    self.reader = reader
    scratch = RowScratch(width: reader.format.width, rows: 24)
  }

  private var shiftX: Int { reader.format.chroma.shiftX }
  private var shiftY: Int { reader.format.chroma.shiftY }

  /// What colours add in the first or second row, at the width of the colour planes.
  @unsafe func narrow(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row((shiftY == 1 ? 0 : row * 3) + channel)
  }

  /// The same at full width.
  @unsafe func wide(_ row: Int, _ channel: Int) -> RowKernels.Row {
    shiftX == 0
      ? unsafe narrow(row, channel) : unsafe scratch.row(6 + (shiftY == 1 ? 0 : row * 3) + channel)
  }

  @unsafe func value(_ row: Int, _ channel: Int) -> RowKernels.Row {
    unsafe scratch.row(12 + row * 3 + channel)
  }

  @unsafe func alpha(_ row: Int) -> RowKernels.Row { unsafe scratch.row(18 + row) }

  /// Four rows to work in.
  @unsafe func spare(_ index: Int) -> RowKernels.Row { unsafe scratch.row(20 + index) }

  /// Reads what colours add to the channels, from the row `top` of the band and the one below it.
  @unsafe func readColours(_ band: PictureView, top: Int, count: Int, widening: Range<Int>) {
    for row in 0..<(shiftY == 1 ? 1 : count) {
      for channel in reader.factors.indices {
        unsafe reader.readColours(
          band, row: (top + row) >> shiftY, channel: channel, into: narrow(row, channel))
        if shiftX == 1, widening.contains(channel) {
          unsafe RowKernels.widen(
            narrow(row, channel), count: reader.format.width, into: wide(row, channel))
        }
      }
    }
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
