// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media

extension PhotoContents {
  /// What the file holds that an output may lack. What cannot be read counts as held: it is no reason to convert nothing.
  var holdings: [SourceHolding] {
    do {
      return try found()
    } catch {
      return [SourceHolding(.picture), SourceHolding(.fullSize), SourceHolding(.unreadable)]
    }
  }

  private func found() throws -> [SourceHolding] {
    var holdings: [SourceHolding] = [SourceHolding(.picture), SourceHolding(.fullSize)]
    let plan = try source.plan(try primary())
    if !plan.alpha.isEmpty || plan.pieces.contains(where: { $0.alphaSource != nil }) {
      holdings.add(.alpha)
    }
    if [16, 18].contains(plan.colour.description.transfer) { holdings.add(.highDynamicRange) }
    let others: [SourceHolding]
    switch self {
    case .heif(let file): others = ItemHoldings.holdings(of: file)
    case .jpeg(let photo): others = try JPEGHoldings.holdings(of: photo)
    case .plain(let photo): others = photo.holdings
    }
    for other in others where !holdings.contains(where: { $0.kind == other.kind }) {
      holdings.append(other)
    }
    return holdings.sorted()
  }

  private func primary() throws(SyntaxError) -> PhotoPicture {
    guard case .heif(let file) = self else { return JPEGPhoto.picture }
    return try file.primaryPicture()
  }
}
