// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF

/// Every picture of a file has a plan that fits its limits and itself, or is refused.
func fuzz(_ bytes: [UInt8]) throws {
  let tree = try BoxTree(reading: MemorySource(bytes))
  var limits = PlanLimits()
  limits.megapixels = 16
  limits.pieces = 1 << 12
  for salvaging in [false, true] {
    let file = PhotoFile(tree, limits: limits, salvaging: salvaging)
    _ = try? file.frames()
    for picture in file.pictures.prefix(16) {
      _ = try? file.metadata(of: picture)
      guard let plan = try? file.plan(picture) else { continue }
      try check(plan, limits)
      for orientation in (1...8).compactMap({ Orientation(exif: $0) }) {
        try check(plan.laid(orientation), limits)
        let back = plan.laid(orientation).laid(orientation.inverse)
        try expect(back.pieces == plan.pieces, "a plan that is turned and turned back is another")
      }
      for source in plan.sources.prefix(16) { _ = try? source.loaded() }
    }
  }
}

private func check(_ plan: PicturePlan, _ limits: PlanLimits) throws {
  let canvas = PixelRect(width: plan.width, height: plan.height)
  try expect(!canvas.isEmpty, "the canvas is \(plan.width) × \(plan.height)")
  try expect(plan.width * plan.height <= limits.megapixels * 1_000_000, "the canvas is too large")
  try expect(plan.pieces.count <= limits.pieces, "there are \(plan.pieces.count) pieces")
  for piece in plan.pieces {
    try expect(canvas.intersection(piece.place) == piece.place, "a piece lies outside the canvas")
    let sides = [piece.crop.width, piece.crop.height]
    let turned = piece.orientation.swapsSides ? sides.reversed() : sides
    try expect([piece.place.width, piece.place.height] == turned, "a piece has other sides")
    for source in [piece.source] + (piece.alphaSource.map { [$0] } ?? []) {
      try expect(plan.sources.indices.contains(source), "a piece is of no source")
      let format = plan.sources[source].format
      let whole = PixelRect(width: format.width, height: format.height)
      try expect(whole.intersection(piece.crop) == piece.crop, "a piece is of more than there is")
    }
  }
  let cost = plan.cost
  try expect(cost.decodedPixels <= limits.megapixels * 1_000_000, "too much is decoded")
  try expect(cost.codedBytes <= limits.codedBytes, "too much is read")
  for alpha in plan.alpha { try check(alpha, limits) }
}
