// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The announcement in XMP of the files after a picture, in file order: its gain map (Ultra HDR Image Format 1.1), then
/// its video (Motion Photo format 1.0).
struct AppendedFiles {
  let gainMap: AppendedGainMap?
  let video: AppendedVideo?

  /// Whether there is anything to announce.
  var isAnnounced: Bool { gainMap?.isInXMP == true || video != nil }

  /// A packet with only the announcement.
  var packet: [UInt8] { GainMapAnnouncement.packet(node) }

  /// A node with the announcement. It uses attributes, because some readers support no other form.
  var node: String {
    let listed = gainMap.flatMap { $0.isInXMP ? $0 : nil }
    // A map that is not listed lies between the picture and the listed files.
    let unlisted = listed == nil ? gainMap?.size ?? 0 : 0
    let padding = unlisted > 0 && video != nil ? " Item:Padding=\"\(unlisted)\"" : ""
    var items = Self.item("Semantic=\"Primary\" Item:Mime=\"image/jpeg\"\(padding)")
    if let listed {
      items += Self.item(
        "Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(listed.size)\"")
    }
    items += videoItem
    let map = listed == nil ? "" : " xmlns:hdrgm=\"\(XMPNamespace.gainMap)\" hdrgm:Version=\"1.0\""
    return """
      <rdf:Description rdf:about="" xmlns:rdf="\(XMPNamespace.rdf)" xmlns:Container="\(XMPNamespace.container)" \
      xmlns:Item="\(XMPNamespace.containerItem)"\(map)\(motion)>\
      <Container:Directory><rdf:Seq>\(items)</rdf:Seq></Container:Directory></rdf:Description>
      """
  }

  /// The properties of the picture that mark it as a motion photo, for a node that has none of them.
  private var motion: String {
    guard let video else { return "" }
    return
      " xmlns:GCamera=\"\(XMPNamespace.googleCamera)\" GCamera:MotionPhoto=\"1\""
      + " GCamera:MotionPhotoVersion=\"1\""
      + " GCamera:MotionPhotoPresentationTimestampUs=\"\(video.stillTime ?? -1)\""
  }

  /// A node that marks a motion photo whose list of files is elsewhere.
  var motionNode: String {
    "<rdf:Description rdf:about=\"\" xmlns:rdf=\"\(XMPNamespace.rdf)\"\(motion)/>"
  }

  /// The video in the list of files; empty if there is none.
  var videoItem: String {
    guard let video else { return "" }
    return Self.item(
      "Semantic=\"MotionPhoto\" Item:Mime=\"\(video.mediaType)\" Item:Length=\"\(video.size)\" Item:Padding=\"0\"",
      declaresNamespaces: true)
  }

  private static func item(_ properties: String, declaresNamespaces: Bool = false) -> String {
    let namespaces =
      declaresNamespaces
      ? " xmlns:Container=\"\(XMPNamespace.container)\" xmlns:Item=\"\(XMPNamespace.containerItem)\""
      : ""
    return
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item\(namespaces) Item:\(properties)/></rdf:li>"
  }
}
