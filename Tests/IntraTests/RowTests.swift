// SPDX-License-Identifier: MIT

import ApusMedia
import ApusThreads
import HEVC
import Synchronization
import TestSupport
import Testing

@testable import ApusIntra

/// Pictures that several threads decode, beside what one makes of them.
@Suite struct RowTests {
  /// What became of a picture.
  private struct Outcome: Equatable {
    var planes: [DecodedPlanes]
    var error: MediaError?
    var usage: [Int]
    /// Whether rows were decoded side by side.
    var isShared: Bool

    init(_ picture: CodedPicture, by decoder: IntraDecoder) {
      (planes, error) = DecodedPlanes.salvaged(picture, by: decoder)
      usage = error == nil ? ToolUsage.all.map { decoder.usage[keyPath: $0.count] } : []
      isShared = decoder.hasSharedRows
    }

    static func == (one: Self, other: Self) -> Bool {
      one.planes == other.planes && one.error == other.error && one.usage == other.usage
    }
  }

  private static func decoder(_ workers: TestWorkers?) -> IntraDecoder {
    let decoder = IntraDecoder()
    decoder.leastShared = 0
    decoder.idleWorkers = workers
    return decoder
  }

  // MARK: - Whole pictures

  @Test(
    .timeLimit(.minutes(15)),
    arguments: WriterRow.all)
  func `several threads make of a written picture what one makes of it`(_ row: WriterRow) throws {
    // Slices that begin within rows are read one after the other, and so are offsets that go on from row to row.
    let isShared =
      row.options.pps.entropyCodingSyncEnabledFlag
      && (row.options.slicesBeginRows || row.options.sliceChance + row.options.dependentChance == 0)
    let decoders = [1, 2, 3].map { Self.decoder(TestWorkers(count: $0)) }
    for seed in 0..<2 {
      var writer = try PictureWriter(row.options, seed: seed)
      let picture = try writer.picture()
      let alone = Outcome(picture, by: Self.decoder(nil))
      #expect(alone.error == nil)
      #expect(!alone.isShared)
      for (index, decoder) in decoders.enumerated() {
        let outcome = Outcome(picture, by: decoder)
        #expect(outcome == alone, "\(index + 1) workers, seed \(seed)")
        if isShared { #expect(outcome.isShared, "\(index + 1) workers, seed \(seed)") }
      }
    }
  }

  @Test(
    .enabled(if: isInstalled("x265")), .timeLimit(.minutes(15)),
    arguments: ProgramRow.all.filter { $0.options.contains("--wpp") })
  func `several threads make of what x265 writes what one makes of it`(_ row: ProgramRow) throws {
    for source in row.sources {
      let picture = try row.picture(source)
      let alone = Outcome(picture, by: Self.decoder(nil))
      #expect(alone.error == nil)
      for count in 1...3 {
        let outcome = Outcome(picture, by: Self.decoder(TestWorkers(count: count)))
        #expect(outcome == alone && outcome.isShared, "\(source), \(count) workers")
      }
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `others do take part in rows and in filters`() throws {
    var options = PictureOptions()
    (options.width, options.height) = (512, 512)
    options.pps.entropyCodingSyncEnabledFlag = true
    let workers = TestWorkers(count: 3)
    for seed in 0..<8 where workers.partsOfOthers.load(ordering: .relaxed) < 16 {
      var writer = try PictureWriter(options, seed: seed)
      #expect(Outcome(try writer.picture(), by: Self.decoder(workers)).isShared)
    }
    #expect(workers.partsOfOthers.load(ordering: .relaxed) >= 16)
  }

  @Test(.timeLimit(.minutes(15)))
  func `another one reconstructs and filters what one reads of a picture without wavefronts`()
    throws
  {
    var options = PictureOptions()
    (options.width, options.height) = (512, 512)
    let decoder = Self.decoder(TestWorkers(count: 2))
    var filtered = 0
    for seed in 0..<8 where filtered == 0 {
      var writer = try PictureWriter(options, seed: seed)
      let picture = try writer.picture()
      let outcome = Outcome(picture, by: decoder)
      #expect(outcome == Outcome(picture, by: Self.decoder(nil)))
      filtered += decoder.relayedRows
    }
    #expect(filtered > 0)
  }

  // MARK: - Entry points

  /// Offsets count bytes that prevent start codes, which stand where `removed` says.
  @Test(
    arguments: [
      ([], 10, [], [0]), ([4, 3], 10, [], [0, 4, 7]), ([4, 3], 10, [2], [0, 3, 6]),
      ([4, 3], 10, [3, 5, 8], [0, 3, 5]), ([4, 3], 10, [4], [0, 4, 6]), ([9], 10, [], [0, 9]),
      ([10], 10, [], nil), ([4, 6], 10, [], nil), ([11], 10, [3, 4], [0, 9]),
      ([12], 10, [3, 4], nil), ([1, 1 << 32], 10, [], nil), ([2], 10, [0, 1], nil),
    ] as [([Int], Int, [Int], [Int]?)])
  func `entry points lead to rows, or nowhere`(
    _ lengths: [Int], _ count: Int, _ removed: [Int], _ starts: [Int]?
  ) {
    var header = SliceSegmentHeader(in: NALUnitHeader(.idrWRADL), sets: ParameterSets())
    header.entryPoints.entryPointOffsetMinus1 = lengths.map { UInt32($0 - 1) }
    let slice = CodedSlice(
      header: header, data: [UInt8](repeating: 0, count: count), removed: removed)
    #expect(slice.rowStarts() == starts)
  }

  // MARK: - Pictures that are not whole

  /// All with wavefronts, and some of the others.
  private static let damaged: [WriterRow] = WriterRow.all.enumerated().filter {
    $0.element.options.pps.entropyCodingSyncEnabledFlag || $0.offset % 12 == 0
  }.map(\.element)

  @Test(
    .timeLimit(.minutes(15)), arguments: damaged)
  func `several threads refuse a damaged picture with the same words as one, or decode it alike`(
    _ row: WriterRow
  ) throws {
    var writer = try PictureWriter(row.options, seed: 1)
    let whole = try writer.picture()
    let decoders = [Self.decoder(nil)] + [2, 3].map { Self.decoder(TestWorkers(count: $0)) }
    var dice = Dice(row.name.utf8.reduce(3) { $0 &* 31 &+ Int($1) })
    var refused = 0
    for turn in 0..<60 {
      var picture = whole
      let count = picture.samples[0].count
      let place = dice.roll(0...count - 1)
      switch turn % 3 {
      case 0: picture.samples[0][place] ^= UInt8(dice.roll(1...255))
      case 1: picture.samples[0][place] ^= 1 << UInt8(dice.roll(0...7))
      default: picture = Self.cut(whole, by: dice.roll(1...40))
      }
      let outcomes = decoders.map { Outcome(picture, by: $0) }
      if outcomes[0].error != nil { refused += 1 }
      for outcome in outcomes[1...] { #expect(outcome == outcomes[0], "turn \(turn) at \(place)") }
    }
    #expect(refused > 20)
    // What a damaged picture leaves behind does not touch the next one.
    let outcomes = decoders.map { Outcome(whole, by: $0) }
    #expect(outcomes[0].error == nil)
    for outcome in outcomes[1...] { #expect(outcome == outcomes[0]) }
  }

  /// Without the last bytes of its last unit.
  private static func cut(_ picture: CodedPicture, by count: Int) -> CodedPicture {
    var picture = picture
    let sample = picture.samples[0]
    guard let last = UnitFraming(picture)?.units(of: sample).last, last.count > count + 8 else {
      return picture
    }
    let kept = last.count - count
    let length = (0..<4).map { UInt8(truncatingIfNeeded: kept >> (24 - 8 * $0)) }
    picture.samples[0] = sample[..<(last.lowerBound - 4)] + length + sample[last.prefix(kept)]
    return picture
  }

  @Test(
    .timeLimit(.minutes(15)),
    arguments: [-300, -7, -1, 1, 2, 90, 1 << 20])
  func `entry points that lie are refused as one thread refuses them`(_ error: Int) throws {
    var options = PictureOptions()
    options.pps.entropyCodingSyncEnabledFlag = true
    options.entryError = error
    for seed in 0..<3 {
      var writer = try PictureWriter(options, seed: seed)
      let picture = try writer.picture()
      let alone = Outcome(picture, by: Self.decoder(nil))
      #expect(alone.error?.kind == .corrupt)
      for count in 1...3 {
        let outcome = Outcome(picture, by: Self.decoder(TestWorkers(count: count)))
        #expect(outcome == alone)
        #expect(!outcome.isShared)
      }
    }
  }
}
