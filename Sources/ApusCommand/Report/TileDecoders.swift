// SPDX-License-Identifier: MIT

import ApusBytes
import ApusReport
import ApusStills
import HEIF
import ISOBMFF

/// Finds the decoder of each tile of a photo, as `convert` would choose it.
struct TileDecoders {
  private let file: PhotoFile
  private let choice = DecoderChoice.auto

  init(_ source: any ByteSource, _ limits: Limits) throws(SyntaxError) {
    file = PhotoFile(try BoxTree(reading: source, limits: limits))
  }

  /// Returns the decoders of the tiles of a grid, or none for a picture that cannot be planned.
  func decoders(ofTilesOf grid: UInt32) -> [UInt32: ItemDrawing.Decoder] {
    do throws(SyntaxError) {
      let plan = try file.plan(PhotoPicture(.item(grid)))
      return choice.usesByItem(for: plan).mapValues { use in
        ItemDrawing.Decoder(Self.names[use.name] ?? use.name, reason: use.reason)
      }
    } catch {
      return [:]
    }
  }

  private static let names = [
    "intra": "built-in decoder (intra)", "none": "none: uncompressed samples",
  ]
}
