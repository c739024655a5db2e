// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
internal import ISOBMFF

extension ItemEditor {
  /// Crops the primary picture by its clean aperture. Its small forms, which show the whole, are removed; throws if other
  /// pictures that belong to it would have to be cropped as well.
  ///
  /// - Parameters:
  ///   - area: the part to keep of the picture as it is displayed.
  ///   - orientation: the orientation in which it is displayed.
  /// - Returns: the part that is kept, which begins at an even column and row of the coded picture.
  public mutating func crop(to area: PixelRect, placed orientation: Orientation) throws(SyntaxError)
    -> PixelRect
  {
    guard let id = graph.primaryID, let item = graph.item(id),
      let whole = item.property(ImageSpatialExtents.self)
    else {
      throw SyntaxError(.unsupported, field: "file", detail: "has no picture with a size to crop")
    }
    try checkTransformations(of: item)
    try checkCompanions(of: item)
    let (width, height) = (Int(whole.width), Int(whole.height))
    var frame = PixelRect(width: width, height: height)
    if let aperture = item.property(CleanAperture.self) {
      do { frame = try aperture.rect(inWidth: width, height: height).get() } catch {
        throw SyntaxError(
          .invalid, field: item.title, offset: item.offset, detail: "\(error.message) by its clap")
      }
    }
    let isTurned = orientation.quarterTurns % 2 == 1
    var part = area.laid(
      orientation.inverse, inWidth: isTurned ? frame.height : frame.width,
      height: isTurned ? frame.width : frame.height)
    (part.x, part.y) = (part.x + frame.x, part.y + frame.y)
    // Colours may be shared by pairs of columns and rows.
    let (left, top) = (max(part.x & ~1, frame.x), max(part.y & ~1, frame.y))
    part = PixelRect(x: left, y: top, width: part.maxX - left, height: part.maxY - top)
    crop = (id, CleanAperture(part, inWidth: width, height: height))
    remove(Set(graph.referrers(to: id, by: "thmb")))
    var kept = part
    (kept.x, kept.y) = (part.x - frame.x, part.y - frame.y)
    return kept.laid(orientation, inWidth: frame.width, height: frame.height)
  }

  private func checkTransformations(of item: Item) throws(SyntaxError) {
    let types = item.properties.map(\.type).filter {
      ["clap", "irot", "imir", "iscl"].contains($0)
    }
    let crops = types.count { $0 == "clap" }
    guard !types.contains("iscl"), crops < 2, crops == 0 || types.first == "clap" else {
      throw SyntaxError(
        .unsupported, field: item.title, offset: item.offset,
        detail: "is scaled, or cropped after it is turned, so it cannot be cropped")
    }
  }

  /// Throws if a gain map, depth or the like has to show the same part: readers do not agree on how these are cropped.
  private func checkCompanions(of item: Item) throws(SyntaxError) {
    let maps = graph.referrers(to: item.id, by: "dimg").filter { graph.item($0)?.type == "tmap" }
    let inputs = Set(graph.makings(of: item.id))
    let alternatives = graph.groups.filter { $0.type == "altr" && $0.entities.contains(item.id) }
      .flatMap(\.entities).filter { $0 != item.id && !inputs.contains($0) }
    let others = graph.referrers(to: item.id, by: "auxl") + maps + alternatives
    guard let other = others.first(where: { !removals.contains($0) }), let found = graph.item(other)
    else { return }
    throw SyntaxError(
      .unsupported, field: found.title, offset: found.offset,
      detail: "belongs to the picture and would not fit the crop unless it is removed, too")
  }
}

extension CleanAperture {
  /// The aperture that keeps a part of a picture.
  fileprivate init(_ part: PixelRect, inWidth width: Int, height: Int) {
    self.init()
    (widthN, heightN) = (UInt32(clamping: part.width), UInt32(clamping: part.height))
    // The offset of the centre, in halves.
    (horizontalOffsetD, verticalOffsetD) = (2, 2)
    horizontalOffsetN = Int32(clamping: 2 * part.x + part.width - width)
    verticalOffsetN = Int32(clamping: 2 * part.y + part.height - height)
  }
}
