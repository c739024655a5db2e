// SPDX-License-Identifier: MIT

/// The XMP of an output, made from that of its source.
struct XMPPreparation {
  private(set) var xmp: [UInt8]?
  private(set) var warnings: [String] = []
  private let choices: MetadataChoices

  init(_ source: [UInt8], for choices: MetadataChoices) {
    self.choices = choices
    guard let packet = XMPEncoding.utf8(source) else {
      warnings.append("XMP is in an encoding that is neither UTF-8 nor UTF-16 and was left out")
      if let map = choices.gainMap, map.isInXMP { xmp = GainMapAnnouncement.packet(size: map.size) }
      return
    }
    if packet.isEmpty { return }
    if String(validating: packet, as: UTF8.self) == nil {
      warnings.append("XMP is no valid UTF-8; its text was left as it is")
    }
    do throws(XMLError) {
      let edited = edited(try XMPEditor(packet))
      xmp = edited
      if let map = choices.gainMap, map.isInXMP { xmp = try announcing(map, in: edited) }
    } catch {
      keepBroken(packet, error)
    }
    if choices.target == .jpeg { fitSegments() }
  }

  private mutating func edited(_ found: XMPEditor) -> [UInt8] {
    var editor = found
    editor.set(XMPNamespace.tiff, "Orientation", to: choices.orientation)
    editor.set(XMPNamespace.tiff, "ImageWidth", to: choices.width)
    editor.set(XMPNamespace.tiff, "ImageLength", to: choices.height)
    editor.set(XMPNamespace.exif, "PixelXDimension", to: choices.width)
    editor.set(XMPNamespace.exif, "PixelYDimension", to: choices.height)

    let removesGainMap = choices.removesGainMapPromise
    var hadGainMap = removesGainMap && editor.removeGainMap() > 0
    var hadMotion = editor.removeMotion() > 0
    let appended = editor.removeContainerItems(except: removesGainMap ? [] : ["GainMap"])
    hadGainMap = hadGainMap || appended.contains("GainMap")
    hadMotion = hadMotion || appended.contains("MotionPhoto")
    hadGainMap = hadGainMap && choices.gainMap == nil
    let promises =
      (hadGainMap ? ["a gain map"] : []) + (hadMotion ? ["a video"] : [])
      + Set(appended).subtracting(["GainMap", "MotionPhoto"]).sorted()
    if !promises.isEmpty {
      warnings.append(
        "XMP announced \(promises.joined(separator: ", ")), which the output does not hold;"
          + " the announcement was removed")
    }
    if choices.strip == .gps { _ = editor.removeLocation() }
    return editor.packet()
  }

  /// In a node of its own before the end of `rdf:RDF`, which every reader knows.
  private func announcing(_ map: AppendedGainMap, in packet: [UInt8]) throws(XMLError) -> [UInt8] {
    var editor = try XMPEditor(packet)
    let rdf = editor.document.elements.first {
      $0.name == XMLDocument.Name(namespace: XMPNamespace.rdf, local: "RDF")
    }
    guard let rdf else { throw XMLError(offset: 0, detail: "holds no rdf:RDF") }
    let node = GainMapAnnouncement.node(size: map.size)
    if let content = rdf.content {
      editor.insert(node, at: content.upperBound)
    } else {
      let name = editor.document.text(rdf.nameRange)
      editor.replace(rdf.range.upperBound - 2..<rdf.range.upperBound, by: ">\(node)</\(name)>")
    }
    return editor.packet()
  }

  /// What is no XML is kept, unless it could say what must not be said.
  private mutating func keepBroken(_ packet: [UInt8], _ error: XMLError) {
    let text = String(decoding: packet, as: UTF8.self)
    if let map = choices.gainMap, map.isInXMP {
      warnings.append("XMP is broken (\(error)) and was replaced by what announces the gain map")
      xmp = GainMapAnnouncement.packet(size: map.size)
      return
    }
    let announces =
      choices.removesGainMapPromise
      && ["hdr-gain-map", "HDRGainMap", "GainMap"].contains { text.contains($0) }
    if choices.strip == .gps || announces {
      let reason = announces ? "announces a gain map" : "may name the place"
      warnings.append("XMP is broken (\(error)) and was left out, for it \(reason)")
    } else {
      warnings.append("XMP is broken (\(error)) and was left as it is")
      xmp = packet
    }
  }

  private mutating func fitSegments() {
    guard let packet = xmp, packet.count > JPEGSegment.xmpCapacity else { return }
    if let parts = ExtendedXMP(dividing: packet) {
      guard !parts.extended.isEmpty else { return }
      warnings.append(
        "XMP of \(packet.count) bytes is more than a JPEG segment holds;"
          + " \(parts.extended.count) bytes of it went into extended XMP")
    } else {
      warnings.append(
        "XMP of \(packet.count) bytes is more than a JPEG segment holds and cannot be divided;"
          + " it was left out")
      xmp = choices.gainMap.flatMap { map in
        map.isInXMP ? GainMapAnnouncement.packet(size: map.size) : nil
      }
    }
  }
}
