// SPDX-License-Identifier: MIT

import ApusIntra
import ApusMedia
import HEVC
import TestSupport
import Testing

/// Pictures of our own writer: what x265 cannot make, and everything with everything.
@Suite struct WriterTests {
  @Test(arguments: WriterRow.all)
  func `it decodes what nobody would encode as two other decoders do`(_ row: WriterRow) throws {
    for seed in 0..<row.seeds {
      var writer = try PictureWriter(row.options, seed: seed)
      let usage = try ThreeDecoders.compare(
        writer.picture(), row.faults, "\(row.name), seed \(seed)")
      for tool in row.tools { #expect(usage[keyPath: tool] > 0, "\(row.name), seed \(seed)") }
    }
  }
}

struct WriterRow: CustomTestStringConvertible, @unchecked Sendable {
  var name: String
  var options = PictureOptions()
  /// What has to be met in every picture. Key paths are only read.
  var tools: [KeyPath<ToolUsage, Int>]
  var seeds = 4
  var faults = ThreeDecoders.Faults()

  var testDescription: String { name }

  init(
    _ name: String, _ tools: [KeyPath<ToolUsage, Int>] = [], seeds: Int = 4,
    faults: ThreeDecoders.Faults = ThreeDecoders.Faults(),
    _ change: (inout PictureOptions) -> Void
  ) {
    self.name = name
    self.tools = tools
    self.seeds = seeds
    self.faults = faults
    change(&options)
  }

  static let all = plain + structure + samples + range

  private static let plain: [WriterRow] =
    [0, 1, 2, 3].flatMap { chroma in
      [8, 10, 12].map { depth in
        WriterRow("chroma \(chroma), \(depth) bit") {
          $0.setFormat(chroma: chroma, bitDepth: depth)
        }
      }
    } + [
      WriterRow("blocks of 16 to 32") { $0.setBlocks(ctb: 5, coding: 4, transform: 3...4) },
      WriterRow("blocks of 8 to 64") {
        $0.setBlocks(ctb: 6)
        $0.splitChance = 30
      },
      WriterRow("blocks of 8 to 16", faults: .corners) { $0.setBlocks(ctb: 4, transform: 2...4) },
      WriterRow("deep transform trees") {
        $0.setBlocks(ctb: 6)
        $0.sps.coding.maxTransformHierarchyDepthIntra = 4
      },
      WriterRow("strong smoothing", seeds: 3) {
        $0.setBlocks(ctb: 6)
        $0.splitChance = 5
        $0.qp = 40
        $0.sps.strongIntraSmoothingEnabledFlag = true
      },
      WriterRow("hidden signs", [\.hiddenSigns]) { $0.pps.signDataHidingEnabledFlag = true },
      WriterRow("quantizer groups of 8", [\.qpDelta]) {
        $0.pps.cuQPDeltaEnabledFlag = true
        $0.pps.diffCUQPDeltaDepth = 2
      },
      WriterRow("quantizer groups of 64, offsets for chroma", [\.qpDelta]) {
        $0.setBlocks(ctb: 6)
        $0.pps.cuQPDeltaEnabledFlag = true
        $0.pps.ppsCBQPOffset = -7
        $0.pps.ppsCRQPOffset = 9
      },
      WriterRow("quantizer groups in 10 bit 4:2:2", [\.qpDelta]) {
        $0.setFormat(chroma: 2, bitDepth: 10)
        $0.pps.cuQPDeltaEnabledFlag = true
        $0.pps.diffCUQPDeltaDepth = 1
        $0.qp = 5
      },
    ]

  private static let structure: [WriterRow] = [
    WriterRow("slices", [\.slices]) { $0.sliceChance = 30 },
    WriterRow("slices of 4:4:4 with filters of their own", [\.slices], faults: .slices) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.sliceChance = 30
      $0.variesSlices = true
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.deblockingFilterOverrideEnabledFlag = true
    },
    WriterRow("slices of 4:4:4, offset only", [\.slices], seeds: 6, faults: .slices) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.sliceChance = 30
      $0.variesSlices = true
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.ppsDeblockingFilterDisabledFlag = true
    },
    WriterRow("slices without filters across", [\.slices], faults: .chromaAcross) {
      $0.sliceChance = 30
      $0.pps.ppsLoopFilterAcrossSlicesEnabledFlag = false
    },
    WriterRow("slices, deblocked only", [\.slices], seeds: 6, faults: .slices) {
      $0.sliceChance = 30
      $0.variesSlices = true
      $0.sps.coding.sampleAdaptiveOffsetEnabledFlag = false
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.deblockingFilterOverrideEnabledFlag = true
    },
    WriterRow("slices, deblocked alike", [\.slices], seeds: 6) {
      $0.sliceChance = 30
      $0.variesSlices = true
      $0.sps.coding.sampleAdaptiveOffsetEnabledFlag = false
    },
    WriterRow("tiles, deblocked only", [\.tiles], seeds: 6) {
      $0.setTiles(columns: [1, 1], rows: [1], filtersAcross: false)
      $0.sps.coding.sampleAdaptiveOffsetEnabledFlag = false
    },
    WriterRow("tiles, offset only", [\.tiles], seeds: 6) {
      $0.setTiles(columns: [1, 1], rows: [1], filtersAcross: false)
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.ppsDeblockingFilterDisabledFlag = true
    },
    WriterRow("dependent slices", [\.dependentSlices]) {
      $0.pps.dependentSliceSegmentsEnabledFlag = true
      $0.dependentChance = 30
      $0.sliceChance = 10
    },
    WriterRow(
      "dependent slices and wavefronts", [\.dependentSlices, \.wavefronts], faults: .corners
    ) {
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.pps.dependentSliceSegmentsEnabledFlag = true
      $0.pps.entropyCodingSyncEnabledFlag = true
      $0.dependentChance = 15
      $0.sliceChance = 3
    },
    WriterRow("wavefronts", [\.wavefronts], faults: .corners) {
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.pps.entropyCodingSyncEnabledFlag = true
    },
    WriterRow("wavefronts in blocks of 32", [\.wavefronts]) {
      $0.pps.entropyCodingSyncEnabledFlag = true
    },
    WriterRow("wavefronts in a picture of one column", faults: .corners) {
      $0.width = 16
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.pps.entropyCodingSyncEnabledFlag = true
    },
    WriterRow("wavefronts, slices of whole rows", [\.wavefronts]) {
      $0.width = 232
      $0.height = 200
      $0.pps.entropyCodingSyncEnabledFlag = true
      $0.pps.dependentSliceSegmentsEnabledFlag = true
      $0.slicesBeginRows = true
      $0.sliceChance = 15
      $0.dependentChance = 40
    },
    WriterRow(
      "wavefronts in 4:4:4, slices of whole rows with filters of their own", [\.wavefronts],
      faults: .slices
    ) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.pps.entropyCodingSyncEnabledFlag = true
      $0.slicesBeginRows = true
      $0.sliceChance = 40
      $0.variesSlices = true
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.deblockingFilterOverrideEnabledFlag = true
    },
    WriterRow(
      "wavefronts in 10 bit 4:2:2, quantizer groups, PCM and lossless blocks",
      [\.wavefronts, \.qpDelta, \.pcm, \.bypass], faults: .unfilteredChroma
    ) {
      $0.setFormat(chroma: 2, bitDepth: 10)
      $0.setPCM(luma: 10, chroma: 9, 3...5, isUnfiltered: true)
      $0.pps.entropyCodingSyncEnabledFlag = true
      $0.pps.cuQPDeltaEnabledFlag = true
      $0.pps.diffCUQPDeltaDepth = 1
      $0.pps.transquantBypassEnabledFlag = true
      $0.bypassChance = 10
      $0.qp = 20
    },
    WriterRow("wavefronts without colour", [\.wavefronts]) {
      $0.setFormat(chroma: 0, bitDepth: 8)
      $0.setBlocks(ctb: 6)
      $0.width = 264
      $0.height = 200
      $0.pps.entropyCodingSyncEnabledFlag = true
    },
    WriterRow("tiles", [\.tiles]) {
      $0.setTiles(columns: [2, 1], rows: [1, 2], filtersAcross: true)
    },
    WriterRow("tiles without filters across", [\.tiles]) {
      $0.setTiles(columns: [1, 3], rows: [2], filtersAcross: false)
    },
    WriterRow("tiles of equal size, slices", [\.tiles, \.slices], faults: .corners) {
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.setTiles(columns: [0, 0], rows: [0], filtersAcross: false)
      $0.pps.tiles.uniformSpacingFlag = true
      $0.sliceChance = 0
      $0.slicesEndWithTiles = true
    },
    WriterRow("tiles and dependent slices", [\.tiles, \.dependentSlices], faults: .corners) {
      $0.setBlocks(ctb: 4, transform: 2...4)
      $0.setTiles(columns: [4], rows: [3], filtersAcross: true)
      $0.pps.dependentSliceSegmentsEnabledFlag = true
      $0.dependentChance = 50
      $0.slicesEndWithTiles = true
    },
  ]

  private static let samples: [WriterRow] = [
    WriterRow("PCM", [\.pcm]) { $0.setPCM(luma: 8, chroma: 8, 3...5, isUnfiltered: false) },
    WriterRow("PCM of few bits, unfiltered", [\.pcm], faults: .unfilteredChroma) {
      $0.setPCM(luma: 5, chroma: 3, 3...4, isUnfiltered: true)
    },
    WriterRow("PCM in 10 bit 4:2:2", [\.pcm], faults: .unfilteredChroma) {
      $0.setFormat(chroma: 2, bitDepth: 10)
      $0.setPCM(luma: 10, chroma: 9, 3...5, isUnfiltered: true)
    },
    WriterRow("PCM in 4:4:4", [\.pcm]) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setPCM(luma: 7, chroma: 8, 3...3, isUnfiltered: false)
    },
    WriterRow("PCM without colour", [\.pcm], faults: .greyPCM) {
      $0.setFormat(chroma: 0, bitDepth: 12)
      $0.setPCM(luma: 11, chroma: 8, 4...5, isUnfiltered: true)
    },
    WriterRow("lossless blocks", [\.bypass], faults: .unfilteredChroma) {
      $0.pps.transquantBypassEnabledFlag = true
      $0.pps.signDataHidingEnabledFlag = true
      $0.bypassChance = 40
    },
    WriterRow("transform skip", [\.transformSkip]) {
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 50
    },
    WriterRow("transform skip in 12 bit 4:4:4", [\.transformSkip]) {
      $0.setFormat(chroma: 3, bitDepth: 12)
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 50
    },
    WriterRow("default scaling lists") { $0.sps.coding.scalingListEnabledFlag = true },
    WriterRow("scaling lists of the sequence") {
      $0.sps.coding.scalingListEnabledFlag = true
      $0.sps.coding.spsScalingListDataPresentFlag = true
      $0.sps.coding.scalingListData = .thrown(1)
    },
    WriterRow("scaling lists of the picture in 4:4:4", faults: .chromaLists) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.sps.coding.scalingListEnabledFlag = true
      $0.pps.ppsScalingListDataPresentFlag = true
      $0.pps.scalingListData = .thrown(2)
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 30
    },
    WriterRow("scaling lists of the picture in 10 bit 4:2:2") {
      $0.setFormat(chroma: 2, bitDepth: 10)
      $0.sps.coding.scalingListEnabledFlag = true
      $0.pps.ppsScalingListDataPresentFlag = true
      $0.pps.scalingListData = .thrown(3)
    },
  ]

  private static let range: [WriterRow] = [
    WriterRow("implicit RDPCM", [\.implicitRDPCM], faults: .losslessTools) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setRange(sequence: { $0.implicitRDPCMEnabledFlag = true })
      $0.pps.transformSkipEnabledFlag = true
      $0.pps.transquantBypassEnabledFlag = true
      $0.pps.signDataHidingEnabledFlag = true
      $0.bypassChance = 40
      $0.skipChance = 50
    },
    WriterRow("explicit RDPCM, which no intra block uses") {
      $0.setRange(sequence: { $0.explicitRDPCMEnabledFlag = true })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 50
    },
    WriterRow("rotation and contexts of transform skip", [\.rotation], faults: .losslessTools) {
      $0.setFormat(chroma: 2, bitDepth: 8)
      $0.setRange(sequence: {
        $0.transformSkipRotationEnabledFlag = true
        $0.transformSkipContextEnabledFlag = true
      })
      $0.pps.transformSkipEnabledFlag = true
      $0.pps.transquantBypassEnabledFlag = true
      $0.bypassChance = 30
      $0.skipChance = 60
    },
    WriterRow("rotation and contexts without lossless blocks", [\.rotation]) {
      $0.setFormat(chroma: 2, bitDepth: 8)
      $0.setRange(sequence: {
        $0.transformSkipRotationEnabledFlag = true
        $0.transformSkipContextEnabledFlag = true
      })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 60
    },
    WriterRow("implicit RDPCM without lossless blocks", [\.implicitRDPCM]) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setRange(sequence: { $0.implicitRDPCMEnabledFlag = true })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 60
    },
    WriterRow("larger transform skip", [\.largeTransformSkip], faults: .largeSkip) {
      $0.setFormat(chroma: 3, bitDepth: 10)
      $0.setRange(
        sequence: { $0.transformSkipContextEnabledFlag = true },
        picture: { $0.log2MaxTransformSkipBlockSizeMinus2 = 3 })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 60
    },
    WriterRow(
      "larger transform skip with RDPCM and scaling lists", [\.largeTransformSkip],
      faults: .skippedLists
    ) {
      $0.setRange(
        sequence: { $0.implicitRDPCMEnabledFlag = true },
        picture: { $0.log2MaxTransformSkipBlockSizeMinus2 = 2 })
      $0.pps.transformSkipEnabledFlag = true
      $0.sps.coding.scalingListEnabledFlag = true
      $0.skipChance = 60
    },
    WriterRow("no smoothing") {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setRange(sequence: { $0.intraSmoothingDisabledFlag = true })
    },
    WriterRow("persistent Rice adaptation", [\.persistentRice]) {
      $0.setFormat(chroma: 3, bitDepth: 12)
      $0.setRange(sequence: { $0.persistentRiceAdaptationEnabledFlag = true })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 30
      $0.largeChance = 15
    },
    WriterRow("cross-component prediction", [\.crossComponent]) {
      $0.setFormat(chroma: 3, bitDepth: 8)
      $0.setRange(picture: { $0.crossComponentPredictionEnabledFlag = true })
    },
    WriterRow("cross-component prediction of lossless blocks", [\.crossComponent, \.bypass]) {
      $0.setFormat(chroma: 3, bitDepth: 10)
      $0.setRange(picture: { $0.crossComponentPredictionEnabledFlag = true })
      $0.pps.transquantBypassEnabledFlag = true
      $0.bypassChance = 40
    },
    WriterRow("offsets for chroma by coding unit", [\.chromaQPOffset], faults: .offsetList) {
      $0.setFormat(chroma: 2, bitDepth: 8)
      $0.setOffsetLists()
    },
    WriterRow("larger transform skip of small levels", [\.largeTransformSkip]) {
      $0.setFormat(chroma: 3, bitDepth: 10)
      $0.setRange(picture: { $0.log2MaxTransformSkipBlockSizeMinus2 = 3 })
      $0.pps.transformSkipEnabledFlag = true
      $0.skipChance = 60
      $0.largeChance = 0
    },
    WriterRow(
      "offsets for chroma by coding unit in 4:2:0", [\.chromaQPOffset, \.slices],
      faults: .offsetList
    ) {
      $0.setOffsetLists()
      $0.pps.cuQPDeltaEnabledFlag = true
      $0.pps.diffCUQPDeltaDepth = 1
      $0.sliceChance = 40
      $0.sps.coding.sampleAdaptiveOffsetEnabledFlag = false
      $0.pps.deblocking.deblockingFilterControlPresentFlag = true
      $0.pps.deblocking.ppsDeblockingFilterDisabledFlag = true
      $0.variesSlices = true
    },
    WriterRow("scaled sample adaptive offsets", [\.bandOffsets, \.edgeOffsets]) {
      $0.setFormat(chroma: 1, bitDepth: 12)
      $0.setRange(picture: {
        $0.log2SAOOffsetScaleLuma = 2
        $0.log2SAOOffsetScaleChroma = 1
      })
    },
    WriterRow("everything", [\.pcm, \.bypass, \.tiles], seeds: 12, faults: .losslessTools) {
      $0.setFormat(chroma: 3, bitDepth: 10)
      $0.setRange(
        sequence: {
          $0.transformSkipRotationEnabledFlag = true
          $0.transformSkipContextEnabledFlag = true
          $0.implicitRDPCMEnabledFlag = true
          $0.persistentRiceAdaptationEnabledFlag = true
        },
        picture: {
          $0.log2MaxTransformSkipBlockSizeMinus2 = 2
          $0.crossComponentPredictionEnabledFlag = true
        })
      $0.setPCM(luma: 9, chroma: 10, 3...5, isUnfiltered: true)
      $0.setTiles(columns: [2], rows: [1, 1], filtersAcross: false)
      $0.pps.transformSkipEnabledFlag = true
      $0.pps.transquantBypassEnabledFlag = true
      $0.pps.signDataHidingEnabledFlag = true
      $0.pps.cuQPDeltaEnabledFlag = true
      $0.pps.diffCUQPDeltaDepth = 2
      $0.sps.strongIntraSmoothingEnabledFlag = true
      $0.bypassChance = 20
      $0.skipChance = 30
      $0.pcmChance = 10
    },
  ]
}
