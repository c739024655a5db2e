// SPDX-License-Identifier: MIT

import HEVC

/// What a written picture is made with.
struct PictureOptions: Sendable {
  var width = 136
  var height = 104
  var sps = SequenceParameterSet()
  var pps = PictureParameterSet()
  var qp = 30
  /// In percent, after each coding tree block.
  var sliceChance = 0
  var dependentChance = 0
  /// Whether slices turn filters on and off and change their offsets.
  var variesSlices = false
  /// Where slices and tiles are mixed, one must hold the other whole: here every slice segment ends with its tile.
  var slicesEndWithTiles = false
  /// Whether slice segments begin nowhere but where rows do.
  var slicesBeginRows = false
  var bypassChance = 0
  var pcmChance = 0
  var skipChance = 0
  /// Of levels far beyond what flags can say.
  var largeChance = 3
  /// Levels beyond 32767 are no longer HEVC.
  var largestLevel = 32767
  /// By how much the first entry point lies.
  var entryError = 0
  var splitChance = 45

  init() {
    sps.spsTemporalIDNestingFlag = true
    sps.profileTierLevel.general.profileIDC = 4
    sps.profileTierLevel.generalLevelIDC = 120
    sps.subLayerOrdering = [SubLayerOrdering()]
    sps.coding.log2DiffMaxMinLumaCodingBlockSize = 2
    sps.coding.log2DiffMaxMinLumaTransformBlockSize = 3
    sps.coding.maxTransformHierarchyDepthIntra = 2
    sps.coding.sampleAdaptiveOffsetEnabledFlag = true
    pps.ppsLoopFilterAcrossSlicesEnabledFlag = true
  }

  var chroma: Int { Int(sps.format.chromaFormatIDC) }
  var ctbLog2: Int { Int(sps.coding.ctbLog2Size) }
  var minCodingLog2: Int { Int(sps.coding.log2MinLumaCodingBlockSizeMinus3) + 3 }
  var minTransformLog2: Int { Int(sps.coding.log2MinLumaTransformBlockSizeMinus2) + 2 }
  var maxTransformLog2: Int {
    minTransformLog2 + Int(sps.coding.log2DiffMaxMinLumaTransformBlockSize)
  }
  var bitDepth: Int { Int(sps.format.bitDepthLumaMinus8) + 8 }

  mutating func setFormat(chroma: Int, bitDepth: Int) {
    sps.format.chromaFormatIDC = UInt8(chroma)
    sps.format.bitDepthLumaMinus8 = UInt8(bitDepth - 8)
    sps.format.bitDepthChromaMinus8 = UInt8(bitDepth - 8)
  }

  mutating func setBlocks(ctb: Int, coding: Int = 3, transform: ClosedRange<Int> = 2...5) {
    sps.coding.log2MinLumaCodingBlockSizeMinus3 = UInt8(coding - 3)
    sps.coding.log2DiffMaxMinLumaCodingBlockSize = UInt8(ctb - coding)
    sps.coding.log2MinLumaTransformBlockSizeMinus2 = UInt8(transform.lowerBound - 2)
    sps.coding.log2DiffMaxMinLumaTransformBlockSize = UInt8(
      min(transform.upperBound, ctb) - transform.lowerBound)
  }

  mutating func setRange(
    sequence: (inout SequenceRangeExtension) -> Void = { _ in },
    picture: (inout PictureRangeExtension) -> Void = { _ in }
  ) {
    sps.extensions.spsExtensionPresentFlag = true
    sps.extensions.spsRangeExtensionFlag = true
    sequence(&sps.extensions.range)
    pps.extensions.ppsExtensionPresentFlag = true
    pps.extensions.ppsRangeExtensionFlag = true
    picture(&pps.extensions.range)
  }

  mutating func setTiles(columns: [UInt16], rows: [UInt16], filtersAcross: Bool) {
    pps.tilesEnabledFlag = true
    pps.tiles.numTileColumnsMinus1 = UInt16(columns.count)
    pps.tiles.numTileRowsMinus1 = UInt16(rows.count)
    pps.tiles.uniformSpacingFlag = false
    pps.tiles.columnWidthMinus1 = columns.map { max($0, 1) - 1 }
    pps.tiles.rowHeightMinus1 = rows.map { max($0, 1) - 1 }
    pps.tiles.loopFilterAcrossTilesEnabledFlag = filtersAcross
  }

  mutating func setPCM(luma: Int, chroma: Int, _ sizes: ClosedRange<Int>, isUnfiltered: Bool) {
    sps.coding.pcmEnabledFlag = true
    sps.coding.pcmSampleBitDepthLumaMinus1 = UInt8(luma - 1)
    sps.coding.pcmSampleBitDepthChromaMinus1 = UInt8(chroma - 1)
    sps.coding.log2MinPCMLumaCodingBlockSizeMinus3 = UInt8(sizes.lowerBound - 3)
    sps.coding.log2DiffMaxMinPCMLumaCodingBlockSize = UInt8(sizes.count - 1)
    sps.coding.pcmLoopFilterDisabledFlag = isUnfiltered
    pcmChance = 25
  }

  /// Lists of six, as libavcodec reads the index as if they all were.
  mutating func setOffsetLists() {
    setRange(picture: {
      $0.chromaQPOffsetListEnabledFlag = true
      $0.diffCUChromaQPOffsetDepth = 1
      $0.chromaQPOffsetListLenMinus1 = 5
      let offsets = [(-6, 5), (12, -12), (3, 0), (0, 1), (-1, -3), (4, 4)]
      $0.chromaQPOffsets = offsets.map {
        var offset = PictureRangeExtension.ChromaQPOffset()
        (offset.cb, offset.cr) = (Int8($0.0), Int8($0.1))
        return offset
      }
    })
  }
}

extension ScalingListData {
  /// Lists of all kinds: predicted from others, from the standard's own, and their own.
  static func thrown(_ seed: Int) -> ScalingListData {
    var dice = Dice(seed)
    var data = ScalingListData()
    data.sizes = (0..<4).map { size in
      (0..<(size == 3 ? 2 : 6)).map { index in
        var list = List()
        list.predModeFlag = dice.chance(60)
        list.predMatrixIDDelta = UInt8(dice.roll(0...index))
        guard list.predModeFlag else { return list }
        if size > 1 { list.dcCoefMinus8 = Int16(dice.roll(-7...40)) }
        var last = size > 1 ? Int(list.dcCoefMinus8) + 8 : 8
        list.deltaCoefs = (0..<(size == 0 ? 16 : 64)).map { _ in
          let next = dice.roll(max(1, last - 9)...min(255, last + 11))
          defer { last = next }
          return Int16(next - last)
        }
        return list
      }
    }
    return data
  }
}
