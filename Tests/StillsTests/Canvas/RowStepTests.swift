// SPDX-License-Identifier: MIT

import ApusMedia
import HEIF
import Testing

@testable import ApusStills

/// Sources that are decoded a few rows at a time.
@Suite struct RowStepTests {
  private static func plan(
    _ width: Int, _ height: Int, exif orientation: Int = 1, heldBytes: Int = 0
  ) throws -> PicturePlan {
    let format = PictureFormat(width: width, height: height, chroma: .yuv444, bitDepth: 8)
    let orientation = try #require(Orientation(exif: orientation))
    let sides = orientation.swapsSides ? (height, width) : (width, height)
    var plan = PicturePlan(width: sides.0, height: sides.1)
    plan.sources = [
      PlannedSource(name: "it", codec: .png, configuration: [], samples: [[]], format: format)
    ]
    plan.sources[0].comesInRows = true
    plan.sources[0].heldBytes = heldBytes
    plan.pieces = [
      PlannedPiece(
        source: 0, crop: PixelRect(width: width, height: height), orientation: orientation,
        place: PixelRect(width: sides.0, height: sides.1))
    ]
    return plan
  }

  @Test(
    arguments: [16, 64, 80, 512], [1, 63, 64, 65, 1000, 1024])
  func `each row is decoded once, in order, by a step of one band`(bandHeight: Int, height: Int)
    throws
  {
    let layout = CanvasLayout(try Self.plan(90, height), bandHeight: bandHeight)
    var next = 0
    for step in layout.steps {
      let rows = try #require(step.rows)
      #expect(rows.lowerBound == next)
      #expect(!rows.isEmpty && rows.count <= 64)
      let band = rows.lowerBound / bandHeight
      #expect(step.bands == band..<band + 1)
      #expect(layout.rows(ofBand: band).contains(rows.upperBound - 1))
      next = rows.upperBound
    }
    #expect(next == height)
  }

  /// Exif 2.32, 4.6.4 A: with values 1 and 2 the first row of the file is the top of the picture.
  @Test(arguments: 1...8)
  func `a picture whose rows come in another order is decoded at once`(orientation: Int) throws {
    let plan = try Self.plan(90, 300, exif: orientation)
    let layout = CanvasLayout(plan, bandHeight: 64)
    #expect(layout.steps.allSatisfy { $0.rows != nil } == (orientation < 3))
    #expect(layout.steps.count == (orientation < 3 ? 5 : 1))
  }

  @Test(
    arguments: [(22_000, 22_000, 2), (1024, 100_000, 8), (64, 1024, 2)])
  func `the bands in memory hold two, or 4 million samples where bands are small`(
    width: Int, height: Int, bands: Int
  ) throws {
    #expect(CanvasLayout(try Self.plan(width, height), bandHeight: 512).window == bands)
  }

  @Test(arguments: [0, 60, 200])
  func `what a decoder holds beside the bands counts for the limit`(mebibytes: Int) throws {
    let plan = try Self.plan(1000, 1000, heldBytes: mebibytes << 20)
    var limits = PlanLimits()
    limits.mebibytes = 100
    guard mebibytes > 100 else {
      _ = try PictureSetup(plan, background: [], limits: limits, workers: 2)
      return
    }
    let error = #expect(throws: MediaError.self) {
      try PictureSetup(plan, background: [], limits: limits, workers: 2)
    }
    #expect(error?.kind == .limit)
    #expect(error?.description.hasSuffix("the limit mebibytes is 100") == true)
  }
}
