// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Prepares the XMP of an output from that of its source.
struct XMPPreparation {
  private(set) var xmp: [UInt8]?
  private(set) var warnings: [String] = []
  private let choices: MetadataChoices

  init(_ source: [UInt8], for choices: MetadataChoices) {
    self.choices = choices
    guard let packet = XMPEncoding.utf8(source) else {
      warnings.append("XMP is in an encoding that is neither UTF-8 nor UTF-16 and was left out")
      if choices.appended.isAnnounced { xmp = choices.appended.packet }
      return
    }
    if packet.isEmpty { return }
    if String(validating: packet, as: UTF8.self) == nil {
      warnings.append("XMP is not valid UTF-8; its text was not changed")
    }
    do throws(XMLError) {
      let edited = edited(try XMPEditor(packet))
      xmp = edited
      if choices.appended.isAnnounced { xmp = try announcing(choices.appended.node, in: edited) }
    } catch {
      keepBroken(packet, error)
    }
    if choices.target == .jpeg { fitSegments() }
  }

  private mutating func edited(_ found: XMPEditor) -> [UInt8] {
    var editor = found
    editor.set(XMPNamespace.tiff, "Orientation", to: choices.orientation)
    editor.setSize(width: choices.width, height: choices.height)

    let removesGainMap = choices.removesGainMapPromise
    var hadGainMap = removesGainMap && editor.removeGainMap() > 0
    var hadMotion = editor.removeMotion() > 0
    let appended = editor.removeContainerItems { removesGainMap || $0 != "GainMap" }
    hadGainMap = hadGainMap || appended.contains("GainMap")
    hadMotion = hadMotion || appended.contains("MotionPhoto")
    hadGainMap = hadGainMap && choices.gainMap == nil && !choices.holdsGainMap
    hadMotion = hadMotion && choices.video == nil && !choices.hasVideoBeside
    let promises =
      (hadGainMap ? ["a gain map"] : []) + (hadMotion ? ["a video"] : [])
      + Set(appended).subtracting(["GainMap", "MotionPhoto"]).sorted()
    if !promises.isEmpty {
      warnings.append(
        "XMP announced \(promises.joined(separator: ", ")), which the output does not have;"
          + " the announcement was removed")
    }
    if choices.strip == .gps { _ = editor.removeLocation() }
    return editor.packet()
  }

  /// Adds a separate node at the end of `rdf:RDF`, a form that every reader supports.
  private func announcing(_ node: String, in packet: [UInt8]) throws(XMLError) -> [UInt8] {
    var editor = try XMPEditor(packet)
    try editor.append(node: node)
    return editor.packet()
  }

  /// Keeps invalid XML, unless it may contain data that must be removed.
  private mutating func keepBroken(_ packet: [UInt8], _ error: XMLError) {
    let text = String(decoding: packet, as: UTF8.self)
    if choices.appended.isAnnounced {
      let map = choices.gainMap.map { _ in "the gain map" }
      let files = [map, choices.video.map { _ in "the video" }]
      warnings.append(
        "XMP is invalid (\(error)) and was replaced by the announcement of "
          + files.compactMap(\.self).joined(separator: " and "))
      xmp = choices.appended.packet
      return
    }
    let announces =
      choices.removesGainMapPromise
      && ["hdr-gain-map", "HDRGainMap", "GainMap"].contains { text.holds($0) }
    if choices.strip == .gps || announces {
      let reason = announces ? "announces a gain map" : "may contain the location"
      warnings.append("XMP is invalid (\(error)) and was left out because it \(reason)")
    } else {
      warnings.append("XMP is invalid (\(error)) and was not changed")
      xmp = packet
    }
  }

  private mutating func fitSegments() {
    guard let packet = xmp, packet.count > JPEGSegment.xmpCapacity else { return }
    if let parts = ExtendedXMP(dividing: packet) {
      guard !parts.extended.isEmpty else { return }
      warnings.append(
        "XMP of \(packet.count) bytes does not fit into a JPEG segment;"
          + " \(parts.extended.count) bytes of it were moved to extended XMP")
    } else {
      warnings.append(
        "XMP of \(packet.count) bytes does not fit into a JPEG segment and cannot be split;"
          + " it was left out")
      xmp = choices.appended.isAnnounced ? choices.appended.packet : nil
    }
  }
}
