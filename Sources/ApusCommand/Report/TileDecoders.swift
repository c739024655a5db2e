// SPDX-License-Identifier: MIT

import Bytes
import HEIF
import ISOBMFF
import Report
import Stills

/// Finds out what decodes the tiles of a photo, as `convert` decides it.
struct TileDecoders {
  private let file: PhotoFile
  private let choice = DecoderChoice.auto

  init(_ source: any ByteSource, _ limits: Limits) throws(SyntaxError) {
    file = PhotoFile(try BoxTree(reading: source, limits: limits))
  }

  /// What decodes the tiles of a grid; of a picture that cannot be planned nothing is known.
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
    "intra": "our own decoder (intra)", "none": "nothing: samples as they are",
  ]
}
