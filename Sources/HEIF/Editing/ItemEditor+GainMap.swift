// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia

/// The forms in which a gain map is described.
extension ItemEditor {
  /// Describes the gain map of the primary picture by a `tmap` item, which becomes an alternative of the picture. Call it
  /// after `turn(_:)`.
  ///
  /// - Parameter bitDepth: that of the picture.
  /// - Returns: the ID of the item.
  public mutating func add(_ toneMap: NewToneMap, to map: UInt32, bitDepth: Int) throws(SyntaxError)
    -> UInt32
  {
    guard let id = graph.primaryID, let item = graph.item(id), let shown = ItemGeometry(item) else {
      throw missing("picture with a size")
    }
    var size = (Int(shown.width), Int(shown.height))
    if let turned = orientations[id], turned.swapsSides != item.orientation.swapsSides {
      swap(&size.0, &size.1)
    }
    let added = add(toneMap.item(of: id, map, size: size, bitDepth: bitDepth))
    alternative = (added, id)
    return added
  }

  /// Describes the gain map of the primary picture as an auxiliary picture.
  ///
  /// - Parameters:
  ///   - urn: the kind of auxiliary picture.
  ///   - xmp: the packet that describes the map.
  public mutating func describe(_ map: UInt32, as urn: String, xmp: [UInt8]) throws(SyntaxError) {
    guard let picture = graph.primaryID else { throw missing("primary picture") }
    properties[map, default: []].append(.auxiliary(urn))
    references.append((map, NewItem.Reference(type: "auxl", to: [picture])))
    var packet = NewItem.xmp(xmp)
    packet.isHidden = true
    packet.references = [NewItem.Reference(type: "cdsc", to: [map])]
    add(packet)
  }
}
