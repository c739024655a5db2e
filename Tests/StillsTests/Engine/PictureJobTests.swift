// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import HEIF
import Testing

@testable import ApusStills

@Suite struct PictureJobTests {
  /// A grid whose last column and row hang over, laid in one of the eight ways.
  static func plan(_ orientation: Orientation, format: PictureFormat) -> PicturePlan {
    var plan = PicturePlan(width: 150, height: 118)
    for index in 0..<12 {
      let crop = PixelRect(
        width: min(48, 150 - index % 4 * 48), height: min(48, 118 - index / 4 * 48))
      plan.sources.append(
        PlannedSource(
          name: "tile \(index)", codec: .hevc, configuration: [],
          samples: [[Extent([UInt8(index)])]], format: format))
      plan.pieces.append(
        PlannedPiece(
          source: index, crop: crop, orientation: .upright,
          place: PixelRect(
            x: index % 4 * 48, y: index / 4 * 48, width: crop.width, height: crop.height)))
    }
    return plan.laid(orientation)
  }

  static let format = PictureFormat(width: 48, height: 48, chroma: .yuv420, bitDepth: 8)

  @Test(
    arguments: 1...8,
    [1, 2, 5])
  func `it gives the same bytes for any number of workers and any orientation`(
    exif: Int, workers: Int
  ) throws {
    let orientation = try #require(Orientation(exif: exif))
    let plan = Self.plan(orientation, format: Self.format)
    let output = MemoryOutput()
    let setup = try PictureSetup(plan, background: [], limits: PlanLimits(), workers: workers)
    let maker = PictureMaker(
      encoder: RawOutput(), conversion: BandConversion(nil), output: output)
    let job = PictureJob(Recipe(setup: setup, maker: maker), decoderThreads: 1)
    try job.begin()
    Self.finish(job, workers: workers)
    #expect(job.outcome.refusal == nil)
    #expect(output.bytes == Self.expected(plan))
  }

  @Test(arguments: [1, 3])
  func `it ends with the tile's name when a tile cannot be decoded`(workers: Int) throws {
    var plan = Self.plan(.upright, format: Self.format)
    plan.sources[7].samples = [[Extent([UInt8(99)])]]
    let setup = try PictureSetup(plan, background: [], limits: PlanLimits(), workers: workers)
    let maker = PictureMaker(
      encoder: RawOutput(), conversion: BandConversion(nil), output: MemoryOutput())
    let job = PictureJob(Recipe(setup: setup, maker: maker), decoderThreads: 1)
    try job.begin()
    Self.finish(job, workers: workers)
    #expect(job.outcome.refusal?.description == "tile 7, bytes 0 to 1: is broken")
  }

  @Test(
    arguments: [(sources: 1, side: 320, isSmall: true), (2, 320, false), (1, 1024, false)])
  func `it is small where it is one step on a canvas that takes little`(
    sources: Int, side: Int, isSmall: Bool
  ) throws {
    let format = PictureFormat(width: side, height: side, chroma: .yuv420, bitDepth: 8)
    var plan = PicturePlan(width: side, height: side)
    let whole = PixelRect(width: side, height: side)
    for index in 0..<sources {
      plan.sources.append(
        PlannedSource(
          name: "picture \(index)", codec: .hevc, configuration: [],
          samples: [[Extent([UInt8(index)])]], format: format))
      plan.pieces.append(
        PlannedPiece(source: index, crop: whole, orientation: .upright, place: whole))
    }
    let setup = try PictureSetup(plan, background: [], limits: PlanLimits(), workers: 2)
    #expect(PictureJob(Recipe(setup: setup), decoderThreads: 1).isSmall == isSmall)
  }

  static func finish(_ job: PictureJob, workers: Int) {
    let turns = Monitor(0)
    let threads = (0..<workers).compactMap { _ in
      Thread {
        let worker = Worker(ConvertOptions(), decoder: NumberedDecoder())
        while true {
          let work = turns.wait { ended -> PictureProgress.Work?? in
            if ended == 1 { return .some(nil) }
            return job.next().map { .some($0) }
          }
          guard let work else { return }
          job.perform(work, on: worker)
          turns.change { if work == .finish { $0 = 1 } }
        }
      }
    }
    for thread in threads { thread.join() }
  }

  /// The whole canvas, sample by sample.
  static func expected(_ plan: PicturePlan) -> [UInt8] {
    var format = plan.canvasFormat
    format.height = plan.height
    let canvas = Picture(format)
    for piece in plan.pieces {
      let source = NumberedDecoder.picture(UInt8(piece.source))
      unsafe Painter(piece: piece).paint(source.view, into: canvas, rows: 0..<plan.height)
    }
    return (0..<format.planeCount).flatMap { canvas.packed($0) }
  }
}

/// Planes that depend on the first byte of the sample.
private final class NumberedDecoder: PictureDecoder {
  let name = "numbers"

  static func picture(_ seed: UInt8) -> Picture {
    let picture = Picture.numbered(PictureJobTests.format)
    unsafe picture.plane(0).storeBytes(of: seed, as: UInt8.self)
    return picture
  }

  func decode(_ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void)
    throws(MediaError)
  {
    guard let seed = picture.samples.last?.first, seed < 50 else {
      throw MediaError(.corrupt, "is broken")
    }
    let decoded = Self.picture(seed)
    try unsafe body(decoded.view)
  }
}

/// An output in memory.
final class MemoryOutput: PhotoOutput {
  private let buffer = Monitor<[UInt8]>([])
  var bytes: [UInt8] { buffer.withLock { $0 } }

  func write(_ bytes: Span<UInt8>) throws(MediaError) {
    let piece = bytes.indices.map { bytes[$0] }
    buffer.withLock { $0 += piece }
  }

  func amend(_ bytes: Span<UInt8>, at offset: Int) throws(MediaError) {
    let piece = bytes.indices.map { bytes[$0] }
    buffer.withLock { $0.replaceSubrange(offset..<offset + piece.count, with: piece) }
  }

  func written() throws(MediaError) -> any ByteSource { MemorySource(bytes) }
  func commit() throws(MediaError) -> String? { "memory" }
}
