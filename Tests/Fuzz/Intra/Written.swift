// SPDX-License-Identifier: MIT

import ApusMedia
import Glibc
import HEVC

/// Seeds of the target `intra` that no encoder makes: pictures of the tests' own writer, of two blocks or a few more,
/// with every tool by chance. `Written FOLDER` writes them.
@main enum Written {
  static func main() throws {
    guard let folder = CommandLine.arguments.dropFirst().first else { exit(2) }
    for seed in 0..<120 {
      var writer = try PictureWriter(options(seed), seed: seed)
      let picture = try writer.picture()
      let size = picture.configuration.count
      let bytes =
        [UInt8(size >> 8), UInt8(size & 255)] + picture.configuration + picture.samples[0]
      guard let file = unsafe fopen("\(folder)/written-\(seed)", "wb") else { exit(1) }
      unsafe fwrite(bytes, 1, bytes.count, file)
      unsafe fclose(file)
    }
  }

  private static func options(_ seed: Int) -> PictureOptions {
    var dice = Dice(seed * 77 + 5)
    var options = PictureOptions()
    let blocks = dice.roll(4...6)
    (options.width, options.height) = (dice.roll(8...80), dice.roll(8...80))
    let depth = [8, 8, 10, 12][dice.roll(0...3)]
    options.setFormat(chroma: dice.roll(0...3), bitDepth: depth)
    options.setBlocks(ctb: blocks)
    options.qp = dice.roll(10...45)
    options.largeChance = dice.roll(0...15)
    if dice.chance(30) { options.sps.strongIntraSmoothingEnabledFlag = true }
    if dice.chance(30) {
      options.setPCM(
        luma: dice.roll(1...depth), chroma: dice.roll(1...depth), 3...min(blocks, 5),
        isUnfiltered: dice.chance(50))
    }
    structure(&options, blocks, &dice)
    tools(&options, &dice)
    return options
  }

  private static func structure(
    _ options: inout PictureOptions, _ blocks: Int, _ dice: inout Dice
  ) {
    if dice.chance(30) { options.sliceChance = 20 }
    if dice.chance(40) {
      options.pps.dependentSliceSegmentsEnabledFlag = true
      options.dependentChance = 25
    }
    let columns = (options.width + (1 << blocks) - 1) >> blocks
    if dice.chance(40) {
      options.pps.entropyCodingSyncEnabledFlag = true
    } else if dice.chance(40), columns > 1 {
      options.setTiles(columns: [1], rows: [], filtersAcross: dice.chance(50))
      options.slicesEndWithTiles = true
      options.sliceChance = 0
    }
    if dice.chance(40) {
      options.variesSlices = true
      options.pps.deblocking.deblockingFilterControlPresentFlag = true
      options.pps.deblocking.deblockingFilterOverrideEnabledFlag = true
    }
  }

  private static func tools(_ options: inout PictureOptions, _ dice: inout Dice) {
    if dice.chance(40) { options.pps.signDataHidingEnabledFlag = true }
    if dice.chance(40) {
      options.pps.cuQPDeltaEnabledFlag = true
      options.pps.diffCUQPDeltaDepth = UInt8(dice.roll(0...1))
    }
    if dice.chance(40) {
      options.pps.transformSkipEnabledFlag = true
      options.skipChance = 40
    }
    if dice.chance(30) {
      options.pps.transquantBypassEnabledFlag = true
      options.bypassChance = 30
    }
    if dice.chance(30) {
      options.sps.coding.scalingListEnabledFlag = true
      options.pps.ppsScalingListDataPresentFlag = true
      options.pps.scalingListData = .thrown(dice.roll(1...9))
    }
    if options.chroma > 0, dice.chance(30) { options.setOffsetLists() }
    guard dice.chance(60) else { return }
    let (hasColours, isSkipping) = (options.chroma == 3, options.pps.transformSkipEnabledFlag)
    options.setRange(
      sequence: {
        $0.transformSkipRotationEnabledFlag = dice.chance(50)
        $0.transformSkipContextEnabledFlag = dice.chance(50)
        $0.implicitRDPCMEnabledFlag = dice.chance(50)
        $0.explicitRDPCMEnabledFlag = dice.chance(50)
        $0.intraSmoothingDisabledFlag = dice.chance(20)
        $0.persistentRiceAdaptationEnabledFlag = dice.chance(50)
      },
      picture: {
        $0.crossComponentPredictionEnabledFlag = hasColours && dice.chance(60)
        if isSkipping {
          $0.log2MaxTransformSkipBlockSizeMinus2 = UInt8(dice.roll(0...2))
        }
      })
  }
}
