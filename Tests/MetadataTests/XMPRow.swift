// SPDX-License-Identifier: MIT

import ApusMetadata
import Testing

/// The inside of an `rdf:RDF`, and what is to come of it.
struct XMPRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var source: String
  var choices: MetadataChoices
  var result: String
  /// A word of the warning, where there is one.
  var warning: String?

  init(
    _ name: String, _ source: String, _ choices: MetadataChoices, _ result: String,
    warning: String? = nil
  ) {
    testDescription = name
    self.source = source
    self.choices = choices
    self.result = result
    self.warning = warning
  }

  static func packet(_ body: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      \(body)
      </r:RDF></x:xmpmeta><?xpacket end="w"?>
      """.utf8)
  }

  private static let tiff = #"xmlns:t="http://ns.adobe.com/tiff/1.0/""#
  private static let exif = #"xmlns:e="http://ns.adobe.com/exif/1.0/""#
  private static let camera = #"xmlns:c="http://ns.google.com/photos/1.0/camera/""#
  private static let gainMap = #"xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/""#
  private static let container =
    #"xmlns:C="http://ns.google.com/photos/1.0/container/" xmlns:I="http://ns.google.com/photos/1.0/container/item/""#

  static let rows = [
    XMPRow(
      "orientation as attribute", "<r:Description \(tiff) t:Orientation='6' t:Make='6'/>",
      asking(orientation: 1), "<r:Description \(tiff) t:Orientation='1' t:Make='6'/>"),
    XMPRow(
      "orientation as element, sizes",
      "<r:Description \(tiff) \(exif)><t:Orientation> 6\n</t:Orientation><t:ImageWidth>4</t:ImageWidth>"
        + "<e:PixelXDimension>4032</e:PixelXDimension><e:PixelYDimension>16</e:PixelYDimension></r:Description>",
      asking(orientation: 3),
      "<r:Description \(tiff) \(exif)><t:Orientation> 3\n</t:Orientation><t:ImageWidth>16</t:ImageWidth>"
        + "<e:PixelXDimension>16</e:PixelXDimension><e:PixelYDimension>16</e:PixelYDimension></r:Description>"
    ),
    XMPRow(
      "names of another namespace, comments, text, deeper fields",
      "<!-- t:Orientation=\"6\" --><r:Description \(tiff) xmlns:o='urn:o' o:Orientation='6'>"
        + "<o:a><r:li t:Orientation='6'/><![CDATA[<t:Orientation>6]]></o:a></r:Description>",
      asking(),
      "<!-- t:Orientation=\"6\" --><r:Description \(tiff) xmlns:o='urn:o' o:Orientation='6'>"
        + "<o:a><r:li t:Orientation='6'/><![CDATA[<t:Orientation>6]]></o:a></r:Description>"),
    XMPRow(
      "a gain map",
      "<r:Description \(gainMap) g:Version='1.0' r:about=''><g:Gamma>1</g:Gamma></r:Description>",
      asking(), "<r:Description \(gainMap) r:about=''></r:Description>", warning: "gain map"),
    XMPRow(
      "a gain map of Apple",
      "<r:Description xmlns:H='http://ns.apple.com/HDRGainMap/1.0/' H:HDRGainMapVersion='65536'/>",
      asking(), "<r:Description xmlns:H='http://ns.apple.com/HDRGainMap/1.0/'/>",
      warning: "gain map"),
    XMPRow(
      "a list of appended files",
      """
      <r:Description \(container)>
       <C:Directory><r:Seq>
        <r:li r:parseType="Resource"><C:Item I:Mime="image/heic" I:Semantic="Primary"/></r:li>
        <r:li r:parseType="Resource"><C:Item I:Mime="image/jpeg" I:Semantic="GainMap"/></r:li>
       </r:Seq></C:Directory>
      </r:Description>
      """, asking(),
      """
      <r:Description \(container)>
      </r:Description>
      """, warning: "gain map"),
    XMPRow(
      "a motion photo",
      "<r:Description \(camera) c:MotionPhoto='1' c:MotionPhotoVersion='1' c:Other='1'/>",
      asking(), "<r:Description \(camera) c:Other='1'/>", warning: "video"),
    XMPRow(
      "places",
      "<r:Description \(exif) xmlns:p='http://ns.adobe.com/photoshop/1.0/' e:GPSLatitude='52,30N'"
        + " p:City='Berlin' p:Credit='me'><e:GPSMapDatum>WGS-84</e:GPSMapDatum></r:Description>",
      asking(strip: .gps),
      "<r:Description \(exif) xmlns:p='http://ns.adobe.com/photoshop/1.0/' p:Credit='me'></r:Description>"
    ),
    // Names of ExifTool's tables of DJI, Parrot, Sony Ericsson and XMP, and of GeoSetter.
    XMPRow(
      "places in namespaces of their own",
      "<r:Description xmlns:d='http://www.dji.com/drone-dji/1.0/' d:Latitude='48.8' d:GpsLongtitude='2.2'"
        + " d:RelativeAltitude='1' d:GimbalYawDegree='3' xmlns:p='http://ns.parrot.com/drone/1.0'"
        + " xmlns:m='http://www.geosetter.de/xmp/1.0/' m:GPSNote='48.8'"
        + " xmlns:c='http://developer.sonyericsson.com/cell/1.0/' c:mcc='208'"
        + " xmlns:x='urn:other' x:Longitudinal='2' x:language='x'><p:Longitude>2.2</p:Longitude>"
        + "<x:shotLocation>Paris</x:shotLocation><x:Model>A</x:Model></r:Description>",
      asking(strip: .gps),
      "<r:Description xmlns:d='http://www.dji.com/drone-dji/1.0/' d:GimbalYawDegree='3'"
        + " xmlns:p='http://ns.parrot.com/drone/1.0' xmlns:m='http://www.geosetter.de/xmp/1.0/'"
        + " xmlns:c='http://developer.sonyericsson.com/cell/1.0/' xmlns:x='urn:other'"
        + " x:Longitudinal='2' x:language='x'><x:Model>A</x:Model></r:Description>"),
  ]
}
