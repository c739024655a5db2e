// SPDX-License-Identifier: MIT

public import ApusBytes

/// A gain map after the picture of a JPEG: Ultra HDR Image Format 1.1; ISO 21496-1, annex C; Apple's auxiliary
/// pictures.
public struct JPEGGainMap: Sendable {
  /// The map as a JPEG.
  public var data: Extent
  /// The parameters of ISO 21496-1, without the identifier.
  public var segment: [UInt8]?
  /// The XMP of the map, never that of the picture.
  public var xmp: [UInt8]?
  /// The ICC profile of the alternate picture, if light is multiplied in its primaries.
  public var profile: [UInt8]?
  /// Whether codes follow Apple's curve, because XMP contains only a headroom.
  public var isApple: Bool

  /// The type of gain maps in an index of pictures: CIPA DC-007, table 4.
  public static let indexType = 0x05_0000

  /// Finds the gain map of a file; `nil` if it has none. Throws if a gain map is announced but missing.
  ///
  /// - Parameter picture: the segments of the picture.
  public init?(behind picture: JPEGSegments, in source: any ByteSource) throws(SyntaxError) {
    for entry in picture.others(fileSize: source.count) {
      let data = Extent(source, entry.range)
      guard let map = try Self.segments(of: data),
        Self.isGainMap(map, type: entry.type)
      else { continue }
      self.init(map, data)
      return
    }
    let xmp = picture.metadata.xmp.flatMap(XMPReader.init)
    for (item, range) in xmp?.containerFiles(endingAt: source.count) ?? []
    where item.semantic == "GainMap" {
      let data = Extent(source, range)
      guard let map = try Self.segments(of: data) else { continue }
      self.init(map, data)
      return
    }
    let isAnnounced =
      picture.tellsOfGainMap || xmp?.value(XMPNamespace.gainMap, "Version") != nil
    guard isAnnounced else { return nil }
    throw SyntaxError(
      .truncated, field: "the gain map", offset: source.count,
      detail: "is announced but does not follow the picture")
  }

  private init(_ map: JPEGSegments, _ data: Extent) {
    self.data = data
    segment = map.gainMapParameters
    let metadata = map.metadata
    (xmp, profile) = (metadata.xmp, metadata.icc)
    isApple =
      Self.auxiliaryKind(metadata.xmp.flatMap(XMPReader.init)) == GainMapAnnouncement.appleURN
  }

  private static func segments(of data: Extent) throws(SyntaxError) -> JPEGSegments? {
    guard data.count > 4, try data.prefix(3).bytes() == [0xFF, 0xD8, 0xFF] else { return nil }
    return try JPEGSegments(data)
  }

  /// Returns whether a following JPEG is a gain map according to its metadata or, if it has none, to the index of
  /// pictures.
  public static func isGainMap(_ map: JPEGSegments, type: Int) -> Bool {
    let xmp = map.metadata.xmp.flatMap(XMPReader.init)
    if let kind = auxiliaryKind(xmp) { return kind == GainMapAnnouncement.appleURN }
    return type == indexType || map.gainMapParameters != nil
      || xmp?.value(XMPNamespace.gainMap, "Version") != nil
  }

  private static func auxiliaryKind(_ xmp: XMPReader?) -> String? {
    xmp?.value(XMPReader.Namespace.pixelData, "AuxiliaryImageType")
  }
}
