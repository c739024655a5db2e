// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Rows of coding tree blocks that are read separately, with the contexts of each taken from the one above: ITU-T
/// H.265, 9.3.1 with `entropy_coding_sync_enabled_flag`.
extension SliceDataReader {
  /// Reads a row to its end, block by block, like `read`.
  ///
  /// - Parameters:
  ///   - exchange: the data exchanged with the rows above and below.
  ///   - body: receives the data of a block after it was read.
  /// - Returns: whether the row is intact and ends where the next one begins. If it does not, or another row does not,
  ///   `read` determines the result of the slice.
  mutating func read(
    _ row: Int, _ coded: CodedRow, _ above: SliceState?, _ data: Span<UInt8>,
    _ exchange: RowExchange, _ body: (inout SliceDataReader) -> Void
  ) -> Bool {
    let columns = parameters.layout.columns
    begin(coded.slice)
    engine = ArithmeticDecoder()
    engine.start(at: coded.start, in: data)
    for column in 0..<columns {
      let address = row * columns + column
      if row > 0 {
        guard let border = exchange.border(above: row, column) else { return false }
        takeOver(border, at: address, ofSlice: above?.index ?? -1)
      }
      (ctbX, ctbY) = (column << parameters.ctbLog2, row << parameters.ctbLog2)
      if column == 0 {
        (previousQP, qp) = (slice.qp, slice.qp)
        (cuCbQPOffset, cuCrQPOffset) = (0, 0)
        if above?.index == slice.index, columns > 1 {
          restore(exchange.contexts(above: row))
          usage.wavefronts += 1
        } else {
          initializeContexts()
        }
      }
      maps.ctbSlices[address] = Int32(slice.index)
      sampleAdaptiveOffsets(address, data)
      codingQuadtree(ctbX, ctbY, parameters.ctbLog2, 0, data)
      body(&self)
      guard damage == nil, !engine.beganBeyond, engine.nextByte <= data.count + 2 else {
        return false
      }
      let isEnd = engine.terminate(data)
      let isLast = column == columns - 1
      guard isEnd == (isLast && coded.end == nil) else { return false }
      if isLast, !ends(coded, data, address) { return false }
      if column == 1 { exchange.keep(saved(address), of: row) }
      exchange.reach(row, column, border(at: address))
    }
    return true
  }

  /// Returns whether the last block of a row is followed by the right syntax elements.
  private mutating func ends(_ coded: CodedRow, _ data: Span<UInt8>, _ address: Int) -> Bool {
    if let end = coded.end {
      return engine.terminate(data) && engine.isAligned(in: data) && engine.nextByte == end
    }
    do throws(MediaError) {
      try finish(data, address)
      return true
    } catch {
      return false
    }
  }

  // MARK: - Borders

  /// Returns the data of a block that the row below needs.
  private func border(at address: Int) -> RowExchange.Border {
    var border = RowExchange.Border()
    border.offsets = maps.offsets[address]
    let place = lowestUnits(ofRowAt: ctbY) + ctbX >> 3
    for unit in 0..<1 << (parameters.ctbLog2 - 3) {
      border.depths[unit] = maps.depths[place + unit]
    }
    return border
  }

  /// Stores the data where the block below expects it.
  private mutating func takeOver(
    _ border: RowExchange.Border, at address: Int, ofSlice slice: Int
  ) {
    let columns = parameters.layout.columns
    let above = address - columns
    maps.offsets[above] = border.offsets
    maps.ctbSlices[above] = Int32(slice)
    let (row, column) = above.quotientAndRemainder(dividingBy: columns)
    let place =
      lowestUnits(ofRowAt: row << parameters.ctbLog2) + column << (parameters.ctbLog2 - 3)
    for unit in 0..<1 << (parameters.ctbLog2 - 3) {
      maps.depths[place + unit] = border.depths[unit]
      maps.runs[place + unit] = Self.run(ofSlice: slice)
    }
  }

  /// Returns the index in the maps of the last units of a row of coding tree blocks.
  private func lowestUnits(ofRowAt y: Int) -> Int {
    ((y >> 3) + 1 << (parameters.ctbLog2 - 3) - 1) * maps.stride
  }
}
