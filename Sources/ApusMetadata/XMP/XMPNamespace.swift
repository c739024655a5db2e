// SPDX-License-Identifier: MIT

/// The namespaces of the properties that are used.
enum XMPNamespace {
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let xml = "http://www.w3.org/XML/1998/namespace"
  static let tiff = "http://ns.adobe.com/tiff/1.0/"
  static let dublinCore = "http://purl.org/dc/elements/1.1/"
  static let xmp = "http://ns.adobe.com/xap/1.0/"
  static let exif = "http://ns.adobe.com/exif/1.0/"
  static let note = "http://ns.adobe.com/xmp/note/"
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  /// Namespaces that only contain locations: coordinates, and the cell of a phone's network.
  static let places: Set = [
    "http://www.w3.org/2003/01/geo/wgs84_pos#", "http://developer.sonyericsson.com/cell/1.0/",
  ]
  static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
  static let googleCamera = "http://ns.google.com/photos/1.0/camera/"
  static let oplusCamera = "http://ns.oplus.com/photos/1.0/camera/"
  static let container = "http://ns.google.com/photos/1.0/container/"
  static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
  /// Lists of files appended to a JPEG: Ultra HDR and motion photos, and dynamic depth.
  static let containers: Set = [
    container, "http://ns.google.com/photos/dd/1.0/container/",
  ]
  static let containerItems: Set = [
    containerItem, "http://ns.google.com/photos/dd/1.0/item/",
  ]
}
