// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusThreads
internal import HEIF

/// A pass over a picture that accompanies another into a HEIC: it is coded in the same way, with its tiles on any
/// worker.
final class CompanionOutput: FirstPass {
  private let coded: CodedPlanes
  private let prepare: @Sendable (ConvertedBand) -> Picture?
  private let result: @Sendable (NewPicture?, inout PassResults) -> Void
  /// Bands whose tiles are being coded, with the number of remaining tiles.
  private let bands = Monitor<[Int: (picture: Picture, left: Int)]>([:])
  private let isGivenUp = Monitor(false)

  /// - Parameters:
  ///   - prepare: converts a band for coding; if it returns `nil`, the picture is abandoned.
  ///   - result: receives the picture; `nil` if it was abandoned.
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
  /// Creates the output for a picture of numbers, whose coding must lose less than that of a viewable picture. Throws if
  /// such a picture cannot be coded.
  convenience init(
    companion format: PictureFormat, colour: ColourDescription, options: ConvertOptions,
    workers: Int
  ) throws {
    let encoder = TileEncoder(
      format, TileLayout(format, options.heic), colour: colour,
      quality: min(max(options.quality, 85), 95), choices: options.heic, workers: workers)
    try encoder.check()
    self.init(format, encoder, colour: colour)
  }
}

extension TileLayout {
  init(_ format: PictureFormat, _ choices: HEICChoices) {
    self.init(
      width: format.width, height: format.height, chroma: format.chroma,
      isSingle: choices.isSingle, isFrame: choices.frameRate != nil,
      side: choices.tileSide ?? TileLayout.side)
  }
}
