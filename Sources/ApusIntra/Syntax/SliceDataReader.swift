// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEVC

/// Reads `slice_segment_data()`: ITU-T H.265, 7.3.8. The data of a coding tree block is left in `blocks` and
/// `coefficients` until the next one is read, and in `maps` until the next picture.
///
/// All of it is safe Swift: the sizes of tables are powers of two and indices are masked, so that the compiler drops
/// checks that could never fail. Damage does not stop the parser within a coding tree block; it is recorded in `damage`
/// and checked afterwards, because the length of a block is bounded by its size.
struct SliceDataReader: ~Copyable {
  var parameters: CodingParameters
  var maps = PictureMaps()
  /// The blocks of the last coding tree block, and of earlier ones that were not taken yet.
  var blocks = [TransformBlock](repeating: TransformBlock(), count: 1024)
  var blockCount = 0
  var coefficients = [Coefficient](repeating: Coefficient(), count: 3 * 4096)
  var coefficientCount = 0
  var damage: StaticString?
  /// The use of coding tools, for tests.
  var usage = ToolUsage()

  var engine = ArithmeticDecoder()
  var contexts = InlineArray<256, UInt64>(repeating: 0)
  let states = ArithmeticTables.states()
  let reciprocals = ArithmeticTables.reciprocals()
  let scans = Scans()
  /// The scaling factors of the picture.
  var scalingFactors = ScalingFactors.flat
  private(set) var hasScalingFactors = false
  /// The values of `StatCoeff`.
  var statistics = InlineArray<4, UInt8>(repeating: 0)
  private var afterTwoBlocks = SavedContexts()
  private var afterSegment = SavedContexts()

  /// The contents of the slice header.
  private(set) var slice = SliceState()
  /// The run that blocks are marked with.
  private(set) var run: UInt16 = 0

  // State of the coding tree block and the quantization group.
  var ctbX = 0
  var ctbY = 0
  var qp = 0
  /// The values `Qp′Y`, `Qp′Cb` and `Qp′Cr` of the transform unit.
  var scaledQPs = InlineArray<3, Int>(repeating: 0)
  /// The value `qPY_PREV`.
  var previousQP = 0
  var groupX = 0
  var groupY = 0
  var qpDelta = 0
  var isQPDeltaCoded = false
  var cuCbQPOffset = 0
  var cuCrQPOffset = 0
  var isChromaQPOffsetCoded = false

  // State of the coding unit.
  var isBypass = false
  /// The `intra_chroma_pred_mode` of the four parts, and the resulting modes.
  var chromaModes = InlineArray<4, UInt8>(repeating: 0)
  var chromaModeCodes = InlineArray<4, UInt8>(repeating: 0)

  /// The contexts for the beginning of a later segment or row.
  struct SavedContexts {
    var contexts = InlineArray<256, UInt64>(repeating: 0)
    var statistics = InlineArray<4, UInt8>(repeating: 0)
    /// The raster address of the coding tree block after which they were saved; -1 for none.
    var address = -1
  }

  init(_ parameters: CodingParameters) { self.parameters = parameters }

  mutating func beginPicture(_ parameters: CodingParameters) {
    self.parameters = parameters
    maps.begin(parameters.layout, ctbLog2: parameters.ctbLog2)
    scalingFactors = parameters.scaling?.values ?? ScalingFactors.flat
    hasScalingFactors = parameters.scaling != nil
    run = 0
    (blockCount, coefficientCount) = (0, 0)
    (afterTwoBlocks.address, afterSegment.address) = (-1, -1)
  }

  /// Reads a slice segment, block by block.
  ///
  /// - Parameters:
  ///   - entries: the offsets of all parts but the first; empty if they are not announced.
  ///   - first: the address of its first block in coding order.
  ///   - body: receives the data of a block after it was read.
  /// - Returns: the address, in coding order, after the last block.
  mutating func read(
    _ data: Span<UInt8>, _ header: SliceSegmentHeader, entries: [Int], from first: Int,
    _ body: (inout SliceDataReader) -> Void
  ) throws(MediaError) -> Int {
    let layout = parameters.layout
    try begin(header, at: layout.rasterAddresses[first])
    engine.start(at: 0, in: data)
    var coded = first
    var parts = 0
    while true {
      let address = layout.rasterAddresses[coded]
      beginBlock(address, coded, isFirst: coded == first, header)
      maps.ctbSlices[address] = Int32(slice.index)
      sampleAdaptiveOffsets(address, data)
      codingQuadtree(ctbX, ctbY, parameters.ctbLog2, 0, data)
      body(&self)
      if let damage { throw failure("\(damage)", address) }
      if engine.beganBeyond { throw failure("begins with an offset beyond its range", address) }
      guard engine.nextByte <= data.count + 2 else { throw failure("ends too early", address) }
      let isEnd = engine.terminate(data)
      if parameters.usesWavefronts, isSecondInRow(address) { afterTwoBlocks = saved(address) }
      coded += 1
      if isEnd {
        if parameters.hasDependentSlices { afterSegment = saved(address) }
        guard entries.isEmpty || parts == entries.count else { throw unfitting(address) }
        try finish(data, address)
        return coded
      }
      guard coded < layout.count else {
        throw failure("goes on after the last block", address)
      }
      let next = layout.rasterAddresses[coded]
      let isNewTile = layout.tiles[next] != layout.tiles[address]
      if isNewTile || (parameters.usesWavefronts && isFirstInRow(next)) {
        guard engine.terminate(data), engine.isAligned(in: data) else {
          throw failure("lacks end_of_subset_one_bit or the alignment after it", address)
        }
        guard entries.isEmpty || parts < entries.count && entries[parts] == engine.nextByte else {
          throw unfitting(address)
        }
        parts += 1
        engine.start(at: engine.nextByte, in: data)
      }
    }
  }

  /// Returns the error for a wrong entry point. Parts are found without entry points, but wrong ones mean that the data
  /// is not what they were written for.
  private func unfitting(_ address: Int) -> MediaError {
    failure("has entry points that do not fit its parts", address)
  }

  func failure(_ what: String, _ address: Int) -> MediaError {
    let (row, column) = address.quotientAndRemainder(dividingBy: parameters.layout.columns)
    let log2 = parameters.ctbLog2
    return MediaError(
      .corrupt,
      "cannot be decoded: the slice \(what), in coding tree block \(address) at column "
        + "\(column << log2), row \(row << log2)")
  }

  /// Checks that the last block ends with the data; zeros may follow (`cabac_zero_words`).
  func finish(_ data: Span<UInt8>, _ address: Int) throws(MediaError) {
    let end = engine.nextByte
    guard end <= data.count else { throw failure("ends too early", address) }
    guard engine.isAligned(in: data) else { throw failure("lacks its trailing bits", address) }
    for index in end..<data.count where data[index] != 0 {
      throw failure("has \(data.count - end) bytes after its end", address)
    }
  }

  // MARK: - Beginnings

  private mutating func begin(_ header: SliceSegmentHeader, at address: Int) throws(MediaError) {
    damage = nil
    engine = ArithmeticDecoder()
    guard !header.dependentSliceSegmentFlag else {
      guard afterSegment.address >= 0 else {
        throw failure("depends on one that is not there", address)
      }
      usage.dependentSlices += 1
      return
    }
    try beginSlice(header, at: address)
  }

  /// Applies the header of a slice, and passes it to the filters.
  mutating func beginSlice(_ header: SliceSegmentHeader, at address: Int) throws(MediaError) {
    guard let pps = header.pictureParameterSet, maps.slices.count < 0x7fff else {
      throw failure("is one of too many", address)
    }
    slice.qp = parameters.initialQP + Int(header.quantization.sliceQPDelta)
    guard (-parameters.qpOffset...51).contains(slice.qp) else {
      throw failure("has a QP of \(slice.qp)", address)
    }
    slice.cbQPOffset = parameters.cbQPOffset + Int(header.quantization.sliceCBQPOffset)
    slice.crQPOffset = parameters.crQPOffset + Int(header.quantization.sliceCRQPOffset)
    slice.hasLumaOffsets = header.sliceSAOLumaFlag
    slice.hasChromaOffsets = header.sliceSAOChromaFlag
    slice.hasChromaQPOffsets = header.quantization.cuChromaQPOffsetEnabledFlag
    var settings = SliceFilterSettings(address: address)
    let deblocking = header.deblocking
    settings.isDeblockingDisabled = deblocking.isDisabled(by: pps)
    let isOwn = deblocking.deblockingFilterOverrideFlag
    settings.betaOffset =
      2 * Int(isOwn ? deblocking.sliceBetaOffsetDiv2 : pps.deblocking.ppsBetaOffsetDiv2)
    settings.tcOffset =
      2 * Int(isOwn ? deblocking.sliceTCOffsetDiv2 : pps.deblocking.ppsTCOffsetDiv2)
    // If the header does not state it, the value of the picture applies: 7.4.7.1.
    let isSaid =
      pps.ppsLoopFilterAcrossSlicesEnabledFlag
      && (slice.hasLumaOffsets || slice.hasChromaOffsets || !settings.isDeblockingDisabled)
    settings.filtersAcross =
      isSaid
      ? header.sliceLoopFilterAcrossSlicesEnabledFlag : pps.ppsLoopFilterAcrossSlicesEnabledFlag
    if !maps.slices.isEmpty { usage.slices += 1 }
    slice.index = maps.slices.count
    maps.slices.append(settings)
  }

  /// Begins a slice whose header was read earlier.
  mutating func begin(_ slice: SliceState) {
    damage = nil
    self.slice = slice
    run = Self.run(ofSlice: slice.index)
  }

  /// Returns the mark of a slice's blocks in a picture without tiles.
  static func run(ofSlice index: Int) -> UInt16 { UInt16(truncatingIfNeeded: index + 1) }

  /// Initializes or restores the state at the beginning of a slice, a tile or a row: 9.3.1.
  private mutating func beginBlock(
    _ address: Int, _ coded: Int, isFirst: Bool, _ header: SliceSegmentHeader
  ) {
    let layout = parameters.layout
    let (row, column) = address.quotientAndRemainder(dividingBy: layout.columns)
    (ctbX, ctbY) = (column << parameters.ctbLog2, row << parameters.ctbLog2)
    let isNewTile =
      coded == 0 || layout.tiles[address] != layout.tiles[layout.rasterAddresses[coded - 1]]
    let isNewSlice = isFirst && !header.dependentSliceSegmentFlag
    if isNewTile || isNewSlice { run &+= 1 }
    let isNewRow = parameters.usesWavefronts && isFirstInRow(address)
    if isNewSlice || isNewTile || isNewRow { (previousQP, qp) = (slice.qp, slice.qp) }
    if isFirst { (cuCbQPOffset, cuCrQPOffset) = (0, 0) }
    if isNewTile {
      if coded > 0 { usage.tiles += 1 }
      initializeContexts()
    } else if isNewRow {
      if afterTwoBlocks.address == address - layout.columns + 1, layout.columns > 1,
        layout.tiles[afterTwoBlocks.address] == layout.tiles[address],
        maps.ctbSlices[afterTwoBlocks.address] == Int32(slice.index)
      {
        usage.wavefronts += 1
        restore(afterTwoBlocks)
      } else {
        initializeContexts()
      }
    } else if isFirst {
      guard header.dependentSliceSegmentFlag else { return initializeContexts() }
      restore(afterSegment)
    }
  }

  mutating func initializeContexts() {
    for index in 0..<Context.count {
      contexts[index] =
        states[Context.initialState(Context.initialValues[index], sliceQP: slice.qp)]
    }
    statistics = InlineArray(repeating: 0)
  }

  mutating func restore(_ saved: SavedContexts) {
    contexts = saved.contexts
    statistics = saved.statistics
  }

  func saved(_ address: Int) -> SavedContexts {
    SavedContexts(contexts: contexts, statistics: statistics, address: address)
  }

  /// Returns whether a block is the first of a row in its tile.
  private func isFirstInRow(_ address: Int) -> Bool {
    let column = address % parameters.layout.columns
    return parameters.layout.tileStarts[column] == column
  }

  private func isSecondInRow(_ address: Int) -> Bool {
    let column = address % parameters.layout.columns
    return parameters.layout.tileStarts[column] == column - 1
  }

  // MARK: - Bins

  /// Decodes a bin with the context variable at this index.
  @inline(__always)
  mutating func bin(
    _ engine: inout ArithmeticDecoder, _ index: Int, _ data: Span<UInt8>, _ states: Span<UInt64>
  ) -> Int {
    let index = index & 255
    let (bin, next) = engine.bin(contexts[index], states, data)
    contexts[index] = next
    return bin
  }

  @inline(__always)
  mutating func bin(_ index: Int, _ data: Span<UInt8>) -> Int {
    let index = index & 255
    let table = states
    let (bin, next) = engine.bin(contexts[index], table.span.extracting(0..<128), data)
    contexts[index] = next
    return bin
  }

  @inline(__always)
  mutating func bypass(_ data: Span<UInt8>) -> Int { engine.bypass(data) }

  mutating func bypass(_ count: Int, _ data: Span<UInt8>) -> Int {
    let table = reciprocals
    return engine.bypass(count, data, table.span)
  }
}
