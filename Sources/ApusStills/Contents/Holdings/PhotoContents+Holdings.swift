// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

extension PhotoContents {
  /// The contents of the file that an output may lack. Unreadable contents count as well, because they were not
  /// converted.
  var holdings: [SourceHolding] {
    do {
      return try found()
    } catch {
      return [SourceHolding(.picture), SourceHolding(.fullSize), SourceHolding(.unreadable)]
    }
  }

  private func found() throws -> [SourceHolding] {
    var holdings: [SourceHolding] = [SourceHolding(.picture), SourceHolding(.fullSize)]
    let picture = try primary()
    let plan = try source.plan(picture)
    if !plan.alpha.isEmpty || plan.pieces.contains(where: { $0.alphaSource != nil }) {
      holdings.add(.alpha)
    }
    if [16, 18].contains(plan.colour.description.transfer) { holdings.add(.highDynamicRange) }
    let metadata = try source.metadata(of: picture)
    if metadata.exif?.isEmpty == false { holdings.add(.exif) }
    if metadata.xmp?.isEmpty == false { holdings.add(.xmp) }
    // Photoshop resources may contain no IPTC at all; unreadable ones might.
    if let iptc = metadata.iptc, (try? IPTC.records(of: iptc))?.isEmpty != true {
      holdings.add(.iptc)
    }
    if plan.colour.profile?.isEmpty == false { holdings.add(.profile) }
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

  /// Returns the contents of a written file, read from its bytes and not taken from the plan.
  static func holdings(ofOutput source: any ByteSource) -> [SourceHolding] {
    do {
      return try PhotoContents(source, FileKind(of: source), ConvertOptions()).holdings
    } catch {
      return [SourceHolding(.unreadable)]
    }
  }

  private func primary() throws(SyntaxError) -> PhotoPicture {
    guard case .heif(let file) = self else { return JPEGPhoto.picture }
    return try file.primaryPicture()
  }
}
