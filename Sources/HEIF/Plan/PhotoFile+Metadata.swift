// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension PhotoFile {
  /// Returns the Exif, XMP and IPTC that describe a picture (`cdsc`). Items that describe nothing are assigned to the
  /// primary picture; those of other pictures, such as the XMP of a gain map, never are.
  public func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata {
    var metadata = PictureMetadata()
    guard case .item(let id) = picture.place else { return metadata }
    for item in candidates(id, picture) {
      guard let kind = MetadataKind(item) else { continue }
      let isOrphan = item.targets("cdsc").isEmpty
      if isOrphan, metadata.isTaken(kind) { continue }
      guard !metadata.isTaken(kind) else {
        metadata.findings.append(
          item.finding(
            .warning, "metadata-twice",
            "is a second \(kind.rawValue) of the picture and is left out"
          ))
        continue
      }
      if isOrphan {
        metadata.findings.append(
          item.finding(
            .note, "metadata-orphan",
            "refers to no picture (cdsc) and is used for the primary one"))
      }
      let data = try graph.data(of: item.id, in: source)
      guard data.byteCount <= limits.metadataBytes else {
        metadata.findings.append(
          item.finding(
            .warning, "limit",
            "is \(kind.rawValue) of \(data.byteCount) bytes and is left out, the limit metadata-bytes is "
              + "\(limits.metadataBytes)"))
        continue
      }
      metadata.add(item, kind, try data.bytes())
    }
    return metadata
  }

  /// Returns the Exif of one item, starting with its TIFF header, which is where other programs begin; `nil` if there
  /// is none that can be read.
  package func exif(of item: Item) throws(SyntaxError) -> [UInt8]? {
    guard MetadataKind(item) == .exif else { return nil }
    let data = try graph.data(of: item.id, in: source)
    guard data.byteCount <= limits.metadataBytes else { return nil }
    var metadata = PictureMetadata()
    metadata.add(item, .exif, try data.bytes())
    return metadata.exif
  }

  /// Returns the items that describe a picture, in file order.
  func candidates(_ id: UInt32, _ picture: PhotoPicture) -> [Item] {
    let own = graph.referrers(to: id, by: "cdsc").compactMap(graph.item)
    return (own + (picture.isPrimary ? orphans : [])).sorted {
      graph.position(of: $0.id) ?? 0 < graph.position(of: $1.id) ?? 0
    }
  }
}

/// The kinds of metadata that items hold about pictures.
public enum MetadataKind: String, Hashable, Sendable {
  case exif = "Exif"
  case xmp = "XMP"
  case iptc = "IPTC"

  init?(_ item: Item) {
    switch (item.type, item.contentType) {
    case ("Exif", _): self = .exif
    case ("mime", "application/rdf+xml"): self = .xmp
    case ("iptc", _), ("mime", "application/x-iptc"): self = .iptc
    default: return nil
    }
  }
}

extension Item {
  /// Whether the item is uncompressed Exif.
  var isExif: Bool { MetadataKind(self) == .exif && contentEncoding.isEmpty }

  /// Whether the item is Exif, XMP or IPTC.
  var isMetadata: Bool { MetadataKind(self) != nil }
}

extension PictureMetadata {
  fileprivate func isTaken(_ kind: MetadataKind) -> Bool {
    switch kind {
    case .exif: exif != nil
    case .xmp: xmp != nil
    case .iptc: iptc != nil
    }
  }

  fileprivate mutating func add(_ item: Item, _ kind: MetadataKind, _ bytes: [UInt8]) {
    guard item.contentEncoding.isEmpty else {
      findings.append(
        item.finding(
          .warning, "metadata-encoded",
          "is \(kind.rawValue) compressed with \(item.contentEncoding), which Apus cannot read"))
      return
    }
    guard !bytes.isEmpty else {
      findings.append(
        item.finding(.warning, "metadata-empty", "is \(kind.rawValue) without data"))
      return
    }
    switch kind {
    case .exif: exif = tiff(in: bytes, of: item)
    case .xmp: xmp = bytes
    case .iptc: iptc = bytes
    }
  }

  /// Returns the bytes from the TIFF header, to which `exif_tiff_header_offset` points: ISO/IEC 23008-12, A.2.1.
  private mutating func tiff(in bytes: [UInt8], of item: Item) -> [UInt8]? {
    let offset = Int(bigEndianBytes: bytes.prefix(4))
    if bytes.count > 4, offset < bytes.count - 4, bytes.isTIFF(at: 4 + offset) {
      return Array(bytes[(4 + offset)...])
    }
    // Some writers omit the offset, or ignore that Exif\0\0 precedes the header.
    guard let start = [4, 10, 0, 6].first(where: { bytes.isTIFF(at: $0) }) else {
      findings.append(
        item.finding(.warning, "exif-unreadable", "has no TIFF header at its offset or near it")
      )
      return nil
    }
    findings.append(
      item.finding(
        .note, "exif-offset",
        "says that its TIFF header is at byte \(4 + offset), but it is at \(start)"))
    return Array(bytes[start...])
  }
}

extension [UInt8] {
  fileprivate func isTIFF(at offset: Int) -> Bool {
    let header = dropFirst(offset).prefix(4)
    return header.elementsEqual([0x49, 0x49, 0x2a, 0])
      || header.elementsEqual([0x4d, 0x4d, 0, 0x2a])
  }
}
