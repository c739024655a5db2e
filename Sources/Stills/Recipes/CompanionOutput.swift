// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Threads

/// A pass over a picture that accompanies another into a HEIC: coded as that is, tiles by any worker.
final class CompanionOutput: FirstPass {
  private let coded: CodedPlanes
  private let prepare: @Sendable (ConvertedBand) -> Picture?
  private let result: @Sendable (NewPicture?, inout PassResults) -> Void
  /// Bands whose tiles are being coded, each with how many are left.
  private let bands = Monitor<[Int: (picture: Picture, left: Int)]>([:])
  private let isGivenUp = Monitor(false)

  /// - Parameters:
  ///   - prepare: makes what is coded of a band; the picture is given up where it makes nothing.
  ///   - result: takes the picture; `nil` where it was given up.
  init(
    _ coded: CodedPlanes, prepare: @escaping @Sendable (ConvertedBand) -> Picture?,
    result: @escaping @Sendable (NewPicture?, inout PassResults) -> Void
  ) {
    self.coded = coded
    self.prepare = prepare
    self.result = result
  }

  var parts: Int { coded.columns }

  var encoders: [CodecUse] { isGivenUp.withLock { $0 } ? [] : [coded.use].compactMap { $0 } }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    if let picture = prepare(band) {
      bands.withLock { $0[band.index] = (picture, parts) }
    } else {
      isGivenUp.withLock { $0 = true }
    }
    return []
  }

  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws {
    guard let picture = bands.withLock({ $0[band.index]?.picture }) else { return }
    try coded.encode(picture, row: band.index, column: part)
    bands.withLock { bands in
      bands[band.index]?.left -= 1
      if bands[band.index]?.left == 0 { bands[band.index] = nil }
    }
  }

  func add(to results: inout PassResults) throws {
    result(isGivenUp.withLock { $0 } ? nil : try coded.picture(), &results)
  }
}

extension CodedPlanes {
  /// The planes of a picture of numbers, of which coding must not take as much as of one that is looked at.
  convenience init(
    companion format: PictureFormat, _ layout: TileLayout, colour: ColourDescription,
    options: ConvertOptions, workers: Int
  ) {
    let encoder = TileEncoder(
      format, layout, colour: colour, quality: min(max(options.quality, 85), 95),
      choices: options.heic, workers: workers)
    self.init(format, encoder, colour: colour)
  }
}

extension TileLayout {
  init(_ format: PictureFormat, isSingle: Bool) {
    self.init(
      width: format.width, height: format.height, chroma: format.chroma, isSingle: isSingle)
  }
}
