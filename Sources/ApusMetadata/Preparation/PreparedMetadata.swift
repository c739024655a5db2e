// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The metadata of an output, with warnings.
public struct PreparedMetadata: Hashable, Sendable {
  /// A TIFF stream, without identifier.
  public var exif: [UInt8]?
  /// A packet of any size, in UTF-8.
  public var xmp: [UInt8]?
  /// IIM records, or Photoshop resources.
  public var iptc: [UInt8]?
  /// The ICC profile; `nil` if there is none, or it is too large for a JPEG.
  public var icc: [UInt8]?
  /// The gain map that follows the picture, as requested.
  public var gainMap: AppendedGainMap?
  /// The warnings about metadata that was changed or left out.
  public var warnings: [String] = []

  /// Carries over the metadata of the source, byte for byte except for the changes that `choices` require.
  public init(_ source: SourceMetadata, for choices: MetadataChoices) {
    // Libraries reject a PNG whose chunk does not begin like a TIFF file.
    let isHeld = choices.target != .png || source.exif.map(Self.isTIFF) ?? true
    let exif = ExifPreparation(isHeld ? source.exif : nil, for: choices)
    self.exif = exif.exif
    warnings += exif.warnings
    if !isHeld, choices.strip != .all {
      warnings.append(
        "Exif is left out: it is not a TIFF structure, so a PNG cannot hold it")
    }
    icc = source.icc
    if choices.target == .jpeg, let size = icc?.count, size > JPEGSegment.iccCapacity {
      warnings.append(
        "the ICC profile of \(size) bytes was left out: a JPEG holds \(JPEGSegment.iccCapacity)")
      icc = nil
    }
    gainMap = choices.gainMap
    let packet = choices.strip == .all ? nil : source.xmp
    if packet != nil || choices.appended.isAnnounced {
      let xmp = XMPPreparation(packet ?? GainMapAnnouncement.emptyPacket, for: choices)
      self.xmp = xmp.xmp
      warnings += xmp.warnings
      if choices.target == .png { endText() }
    }
    if choices.strip == .all { return }
    iptc = source.iptc
    if choices.strip == .gps, let records = iptc { removeLocation(from: records) }
    if choices.target == .heif, let records = iptc { takeRecords(of: records) }
    if [.png, .webp].contains(choices.target), iptc != nil {
      let name = choices.target == .png ? "PNG" : "WebP"
      warnings.append("IPTC is left out: a \(name) cannot hold it")
      iptc = nil
    }
  }

  private static func isTIFF(_ exif: [UInt8]) -> Bool {
    ["MM\0*", "II*\0"].contains { exif.starts(with: $0.utf8) }
  }

  /// Cuts the text of a PNG before its first zero, because some packets end with zeros.
  private mutating func endText() {
    guard let packet = xmp, let end = packet.firstIndex(of: 0) else { return }
    xmp = Array(packet[..<end])
    guard packet[end...].contains(where: { $0 != 0 }) else { return }
    warnings.append("the XMP is cut at a zero byte, which a PNG cannot hold")
  }

  /// Extracts the records, because items contain only those.
  private mutating func takeRecords(of resources: [UInt8]) {
    do throws(SyntaxError) {
      let records = try IPTC.records(of: resources)
      iptc = records.isEmpty ? nil : records
    } catch {
      warnings.append("IPTC cannot be read and was left out: \(error)")
      iptc = nil
    }
  }

  private mutating func removeLocation(from records: [UInt8]) {
    do throws(SyntaxError) {
      let left = try IPTC.withoutLocation(records)
      iptc = left.isEmpty ? nil : left
    } catch {
      warnings.append(
        "IPTC cannot be read and was left out because it may contain the location: \(error)")
      iptc = nil
    }
  }
}
