// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC

@testable import ApusIntra

/// Writes a picture whose every syntax element is thrown with dice. What it looks like nobody knows before it is
/// decoded: decoders agree on it, or one of them is wrong.
struct PictureWriter {
  let options: PictureOptions
  var dice: Dice
  var encoder = BinEncoder()
  var contexts = [Int](repeating: 0, count: Context.count)
  /// `StatCoeff`.
  var statistics = [Int](repeating: 0, count: 4)
  let layout: CTBLayout
  private var afterTwo: (contexts: [Int], statistics: [Int], address: Int)?
  private var afterSegment: (contexts: [Int], statistics: [Int]) = ([], [])

  // By 8 × 8 luma samples: what a block belongs to, 0 for nothing yet, and `CtDepth`.
  var runs: [Int]
  var depths: [Int]
  /// By 4 × 4: `IntraPredModeY`.
  var modes: [Int]
  let stride: Int
  var run = 0
  /// By coding tree block: the address of the slice.
  var slices: [Int]

  var slice = SliceSegmentHeader()
  private var firstOfSlice = 0
  var isQPDeltaCoded = false
  var isChromaOffsetCoded = false
  var isBypass = false

  init(_ options: PictureOptions, seed: Int) throws {
    var options = options
    let side = 1 << options.minCodingLog2
    let width = (options.width + side - 1) / side * side
    let height = (options.height + side - 1) / side * side
    options.sps.format.picWidthInLumaSamples = UInt32(width)
    options.sps.format.picHeightInLumaSamples = UInt32(height)
    self.options = options
    dice = Dice(seed)
    layout = try CTBLayout(width: width, height: height, log2: options.ctbLog2, options.pps)
    stride = layout.columns << (options.ctbLog2 - 3)
    let count = stride * layout.rows << (options.ctbLog2 - 3)
    runs = [Int](repeating: 0, count: count)
    depths = runs
    modes = [Int](repeating: 1, count: count * 4)
    slices = [Int](repeating: -1, count: layout.count)
  }

  // MARK: - NAL units

  /// The picture with its configuration record.
  mutating func picture() throws -> CodedPicture {
    let videoHeader = NALUnitHeader(.vps)
    var video = VideoParameterSet(in: videoHeader, sets: ParameterSets())
    video.vpsTemporalIDNestingFlag = true
    video.profileTierLevel = options.sps.profileTierLevel
    video.subLayerOrdering = [SubLayerOrdering()]
    let sets = [
      try NALUnit(videoHeader, video).bytes(),
      try NALUnit(NALUnitHeader(.sps), options.sps).bytes(),
      try NALUnit(NALUnitHeader(.pps), options.pps).bytes(),
    ]
    var known = ParameterSets()
    for set in sets where !known.add(nalUnit: set) {
      throw MediaError(.misuse, "wrote a set that cannot be read")
    }
    let record = try RecordBuilder().record(of: sets).record
    var sample: [UInt8] = []
    for unit in try segments(known) {
      sample += (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) } + unit
    }
    return CodedPicture(
      codec: .hevc, configuration: try record.bytes(), samples: [sample])
  }

  private mutating func segments(_ sets: ParameterSets) throws -> [[UInt8]] {
    var units: [[UInt8]] = []
    var coded = 0
    while coded < layout.count {
      let first = coded
      begin(at: first, sets)
      encoder = BinEncoder()
      var starts: [Int] = []
      while true {
        let address = layout.rasterAddresses[coded]
        beginBlock(coded, isFirst: coded == first)
        slices[address] = run
        let (row, column) = address.quotientAndRemainder(dividingBy: layout.columns)
        sampleAdaptiveOffsets(address)
        codingQuadtree(column << options.ctbLog2, row << options.ctbLog2, options.ctbLog2, 0)
        coded += 1
        let isEnd = coded == layout.count || endsSegment(coded, from: first)
        encoder.terminate(isEnd ? 1 : 0)
        if options.pps.entropyCodingSyncEnabledFlag, layout.tileStarts[column] == column - 1 {
          afterTwo = (contexts, statistics, address)
        }
        if isEnd {
          afterSegment = (contexts, statistics)
          break
        }
        let next = layout.rasterAddresses[coded]
        let isNewTile = layout.tiles[next] != layout.tiles[address]
        if isNewTile || (options.pps.entropyCodingSyncEnabledFlag && isFirstInRow(next)) {
          encoder.terminate(1)
          starts.append(encoder.bits.bytes.count)
        }
      }
      units.append(try unit(encoder.bits.bytes, starts))
    }
    return units
  }

  private mutating func endsSegment(_ coded: Int, from first: Int) -> Bool {
    let addresses = (layout.rasterAddresses[coded], layout.rasterAddresses[coded - 1])
    // With wavefronts a segment that begins within a row ends there: 7.4.7.1.
    if options.pps.entropyCodingSyncEnabledFlag, isFirstInRow(addresses.0),
      !isFirstInRow(layout.rasterAddresses[first])
    {
      return true
    }
    if options.slicesEndWithTiles, layout.tiles[addresses.0] != layout.tiles[addresses.1] {
      return true
    }
    if options.slicesBeginRows, !isFirstInRow(addresses.0) { return false }
    return dice.chance(options.sliceChance + options.dependentChance)
  }

  /// A NAL unit of the slice header and these data, whose parts begin at `starts`.
  private mutating func unit(_ data: [UInt8], _ starts: [Int]) throws -> [UInt8] {
    var escaped: [UInt8] = []
    var places: [Int] = []
    var zeros = 0
    for (index, byte) in data.enumerated() {
      if zeros >= 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      if starts.contains(index) { places.append(escaped.count) }
      zeros = byte == 0 ? zeros + 1 : 0
      escaped.append(byte)
    }
    slice.entryPoints = EntryPoints()
    slice.entryPoints.offsetLenMinus1 = 23
    slice.entryPoints.entryPointOffsetMinus1 = zip(places, [0] + places).map {
      UInt32($0 - $1 - 1)
    }
    if let first = slice.entryPoints.entryPointOffsetMinus1.first {
      slice.entryPoints.entryPointOffsetMinus1[0] = UInt32(
        clamping: Int(first) + options.entryError)
    }
    var writer = SyntaxWriter(ArraySink(), escaping: true)
    var header = slice.header
    try header.syntax(&writer)
    try slice.syntax(&writer)
    var one = true
    try writer.flag("alignment_bit", &one)
    var zero: UInt8 = 0
    if writer.bitsUntilAligned > 0 { try writer.u(writer.bitsUntilAligned, "zero", &zero) }
    return writer.sink.bytes + escaped
  }

  // MARK: - Beginnings

  private mutating func begin(at coded: Int, _ sets: ParameterSets) {
    // With wavefronts a slice that begins within a row ends there: 7.4.7.1.
    let mustEnd =
      options.pps.entropyCodingSyncEnabledFlag && coded > 0
      && isFirstInRow(layout.rasterAddresses[coded])
      && !isFirstInRow(layout.rasterAddresses[firstOfSlice])
    let all = options.sliceChance + options.dependentChance
    let isDependent =
      coded > 0 && options.pps.dependentSliceSegmentsEnabledFlag && !mustEnd
      && dice.roll(1...max(all, 1)) > options.sliceChance
    let last = slice
    slice = SliceSegmentHeader(in: NALUnitHeader(.idrWRADL), sets: sets)
    slice.firstSliceSegmentInPicFlag = coded == 0
    slice.sliceSegmentAddress = UInt32(layout.rasterAddresses[coded])
    slice.dependentSliceSegmentFlag = isDependent
    slice.sliceType = .i
    if isDependent {
      slice.sliceSAOLumaFlag = last.sliceSAOLumaFlag
      slice.sliceSAOChromaFlag = last.sliceSAOChromaFlag
      slice.quantization = last.quantization
      return
    }
    firstOfSlice = coded
    let varies = options.variesSlices
    if options.sps.coding.sampleAdaptiveOffsetEnabledFlag {
      slice.sliceSAOLumaFlag = !varies || dice.chance(70)
      slice.sliceSAOChromaFlag = options.chroma > 0 && (!varies || dice.chance(70))
    }
    slice.quantization.sliceQPDelta = Int8(
      options.qp - 26 - Int(options.pps.initQPMinus26) + (varies ? dice.roll(-3...3) : 0))
    if options.pps.ppsSliceChromaQPOffsetsPresentFlag {
      slice.quantization.sliceCBQPOffset = Int8(dice.roll(-4...4))
      slice.quantization.sliceCRQPOffset = Int8(dice.roll(-4...4))
    }
    slice.quantization.cuChromaQPOffsetEnabledFlag =
      options.pps.extensions.range.chromaQPOffsetListEnabledFlag
    if options.pps.deblocking.deblockingFilterOverrideEnabledFlag {
      slice.deblocking.deblockingFilterOverrideFlag = dice.chance(60)
      slice.deblocking.sliceDeblockingFilterDisabledFlag = dice.chance(30)
      slice.deblocking.sliceBetaOffsetDiv2 = Int8(dice.roll(-6...6))
      slice.deblocking.sliceTCOffsetDiv2 = Int8(dice.roll(-6...6))
    }
    slice.sliceLoopFilterAcrossSlicesEnabledFlag = !varies || dice.chance(50)
  }

  private mutating func beginBlock(_ coded: Int, isFirst: Bool) {
    let address = layout.rasterAddresses[coded]
    let isNewTile =
      coded == 0 || layout.tiles[address] != layout.tiles[layout.rasterAddresses[coded - 1]]
    let isNewSlice = isFirst && !slice.dependentSliceSegmentFlag
    if isNewTile || isNewSlice { run += 1 }
    if isNewTile {
      initializeContexts()
    } else if options.pps.entropyCodingSyncEnabledFlag, isFirstInRow(address) {
      let source = address - layout.columns + 1
      if let afterTwo, afterTwo.address == source, slices[source] == run {
        (contexts, statistics) = (afterTwo.contexts, afterTwo.statistics)
      } else {
        initializeContexts()
      }
    } else if isFirst {
      guard slice.dependentSliceSegmentFlag else { return initializeContexts() }
      (contexts, statistics) = afterSegment
    }
  }

  private mutating func initializeContexts() {
    let qp = 26 + Int(options.pps.initQPMinus26) + Int(slice.quantization.sliceQPDelta)
    contexts = Context.initialValues.map { Context.initialState($0, sliceQP: qp) }
    statistics = [0, 0, 0, 0]
  }

  private func isFirstInRow(_ address: Int) -> Bool {
    let column = address % layout.columns
    return layout.tileStarts[column] == column
  }

  // MARK: - Bins

  mutating func write(_ bin: Int, _ context: Int) { encoder.encode(bin, &contexts[context]) }

  /// Writes a bin that is thrown, and returns it.
  mutating func flip(_ context: Int, percent: Int = 50) -> Bool {
    let bin = dice.chance(percent)
    write(bin ? 1 : 0, context)
    return bin
  }
}
