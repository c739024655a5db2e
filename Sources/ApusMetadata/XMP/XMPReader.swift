// SPDX-License-Identifier: MIT

/// The properties of an XMP packet by namespace and name: XMP part 1, 7.
public struct XMPReader: Sendable {
  private let document: XMLDocument

  /// Reads a packet; `nil` if it is invalid.
  public init?(_ packet: [UInt8]) {
    guard let text = XMPEncoding.utf8(packet) else { return nil }
    do throws(XMLError) {
      document = try XMLDocument(text)
    } catch {
      return nil
    }
  }

  /// Returns a simple property, written as an attribute or as an element.
  public func value(_ namespace: String, _ local: String) -> String? {
    let name = XMLDocument.Name(namespace: namespace, local: local)
    for element in document.elements {
      if let attribute = element.attributes.first(where: { $0.name == name }) {
        return unescaped(attribute.value)
      }
      if element.name == name, element.isLeaf, let content = element.content {
        return unescaped(content)
      }
    }
    return nil
  }

  /// Returns a simple property as a finite number; `nil` if it is absent or not a number.
  public func number(_ namespace: String, _ local: String) -> Double? {
    value(namespace, local).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The time in the video of a motion photo at which the picture was taken, in microseconds; `nil` if unknown.
  public var motionTime: Int? {
    ["MotionPhoto", "MicroVideo"].lazy
      .compactMap { value(XMPNamespace.googleCamera, $0 + "PresentationTimestampUs") }
      .compactMap { Int($0) }.first { $0 >= 0 }
  }

  /// Returns the members of an array property, as far as they are simple.
  public func list(_ namespace: String, _ local: String) -> [String] {
    let name = XMLDocument.Name(namespace: namespace, local: local)
    let member = XMLDocument.Name(namespace: XMPNamespace.rdf, local: "li")
    guard let index = document.elements.firstIndex(where: { $0.name == name }) else { return [] }
    return document.descendants(of: index).compactMap { place in
      let element = document.elements[place]
      guard element.name == member, element.isLeaf, let content = element.content else {
        return nil
      }
      return unescaped(content)
    }
  }

  /// A file after a JPEG or in a HEIF file, as listed in Google's container directory.
  public struct ContainerItem: Hashable, Sendable {
    /// The meaning of the item, such as `Primary`, `GainMap`, `MotionPhoto` or `Depth`.
    public var semantic: String
    /// The media type, such as `image/jpeg` or `video/mp4`; empty if unstated.
    public var mediaType: String
    /// The length in bytes; 0 if unstated, which is allowed only for the primary picture.
    public var length: Int
    /// The number of bytes between it and the next item.
    public var padding: Int
  }

  /// The items in file order, beginning with the primary picture.
  public var containerItems: [ContainerItem] {
    document.elements.compactMap { element in
      func text(_ local: String) -> String? {
        element.attributes.first {
          XMPNamespace.containerItems.contains($0.name.namespace) && $0.name.local == local
        }.map { unescaped($0.value) }
      }
      guard let semantic = text("Semantic") ?? text("DataURI") else { return nil }
      return ContainerItem(
        semantic: semantic, mediaType: text("Mime") ?? "",
        length: text("Length").flatMap { Int($0) } ?? 0,
        padding: text("Padding").flatMap { Int($0) } ?? 0)
    }
  }

  /// Returns the ranges of the files that the container directory lists after the picture, the last one first: each is
  /// followed by its padding and the next one, and the last one ends with the file. Stops if the lengths, which come
  /// from the file, do not fit.
  public func containerFiles(endingAt count: Int) -> [(item: ContainerItem, range: Range<Int>)] {
    var found: [(ContainerItem, Range<Int>)] = []
    var end = count
    for item in containerItems.dropFirst().reversed() {
      guard item.length > 0, item.padding >= 0, item.padding < end else { break }
      end -= item.padding
      guard item.length < end else { break }
      let start = end - item.length
      found.append((item, start..<end))
      end = start
    }
    return found
  }

  /// Returns the text without surrounding white space, and with the five entities of XML 1.0, 4.6 resolved.
  private func unescaped(_ range: Range<Int>) -> String {
    var text = document.text(range)
    while let blank = text.first, blank.isWhitespace { text.removeFirst() }
    while let blank = text.last, blank.isWhitespace { text.removeLast() }
    guard text.contains("&") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";"),
        let character = Self.entities[String(rest[..<end].dropFirst())]
      else {
        result.append("&")
        rest = rest.dropFirst()
        continue
      }
      result += character
      rest = rest[end...].dropFirst()
    }
    return result + rest
  }

  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
}

extension XMPReader {
  /// The namespaces of XMP that phones use for pictures that accompany a picture.
  public enum Namespace {
    /// The namespace `GCamera`, which announces motion photos.
    public static let googleCamera = XMPNamespace.googleCamera
    /// The namespace `hdrgm` of Adobe's gain maps.
    public static let gainMap = XMPNamespace.gainMap
    /// The namespace of the kinds of Apple's auxiliary pictures, and of the range of their samples.
    public static let pixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
    /// The namespace of the camera's calibration in Apple's depth maps.
    public static let depthData = "http://ns.apple.com/depthData/1.0/"
    /// The namespace `GPano` of panoramas.
    public static let panorama = "http://ns.google.com/photos/1.0/panorama/"
  }
}
