// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusThreads
internal import HEIF
internal import HEVC

/// The coded tiles of one picture, collected from all workers.
final class CodedPlanes: Sendable {
  let format: PictureFormat
  let encoder: TileEncoder
  private let colour: ColourDescription
  private let profile: [UInt8]
  private let tiles: Monitor<[EncodedTile?]>

  /// - Parameter format: the format of the whole picture.
  init(
    _ format: PictureFormat, _ encoder: TileEncoder, colour: ColourDescription,
    profile: [UInt8] = []
  ) {
    self.format = format
    self.encoder = encoder
    self.colour = colour
    self.profile = profile
    let count = encoder.layout.columns * encoder.layout.rows
    tiles = Monitor(Array(repeating: nil, count: count))
  }

  var columns: Int { encoder.layout.columns }

  /// The encoder of the tiles collected so far.
  var use: CodecUse? {
    var use = try? encoder.use
    use?.pictures = tiles.withLock { $0.count { $0 != nil } }
    return use
  }

  func encode(_ band: Picture, row: Int, column: Int) throws {
    let tile = try encoder.encode(band, column: column)
    let place = row * columns + column
    tiles.withLock { $0[place] = tile }
  }

  /// Returns the coded picture, after all tiles were encoded.
  func picture() throws -> NewPicture {
    let tiles = tiles.withLock { $0 }.compactMap { $0 }
    let layout = encoder.layout
    guard tiles.count == layout.columns * layout.rows else {
      throw MediaError(
        .misuse, "\(tiles.count) of \(layout.columns * layout.rows) tiles were encoded")
    }
    let shared = try SharedHeaders(tiles)
    let record: DecoderConfigurationRecord
    do throws(SyntaxError) {
      var builder = RecordBuilder()
      // There is no following picture, so no frame rate either.
      builder.averageFrameRate = 0
      record = try builder.record(of: shared.units).record
    } catch {
      throw MediaError(
        .corrupt, "no record can be built from the parameter sets of the encoder: \(error)")
    }
    var picture = NewPicture(
      width: format.width, height: format.height, tileWidth: layout.tileWidth,
      tileHeight: layout.tileHeight, isGrid: layout.isGrid, chroma: format.chroma,
      bitDepth: format.bitDepth, record: record, tiles: shared.payloads.map { Extent($0) })
    picture.colour = colour
    picture.profile = profile
    return picture
  }
}
