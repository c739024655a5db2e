// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusJSON
import ApusMedia
import CApus
import HEIF
import ISOBMFF

/// Writes the pictures of several HEIC files as one file, without encoding them again.
@c @implementation
public func apus_join(
  _ photos: UnsafePointer<OpaquePointer?>?, _ count: Int, _ options: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe made(error) {
    guard let photos = unsafe photos, count > 0 else { throw MediaError.missing("photos") }
    let options = try unsafe Call.options(options)
    var joined = JoinedFile()
    for index in 0..<count {
      let photo = try unsafe needed(photos[index], as: OpenPhoto.self, "photo \(index)")
      try joined.add(photo.source, JoinedPicture(options["pictures"], at: index))
    }
    return CBytes(try joined.bytes(primary: options["primary"]?.integer ?? 0))
  }
}

/// The pictures of several files as one file, whose data are copied.
private struct JoinedFile {
  private var file = NewItemFile()
  private var pictures: [UInt32] = []

  mutating func add(_ source: any ByteSource, _ picture: JoinedPicture) throws {
    do {
      let photo = PhotoFile(try BoxTree(reading: source))
      let id = try file.add(photo) { property in
        picture.keepsColour
          || property.located.box(ColourInformation.self)?.colourType != "nclx"
      }
      pictures.append(id)
      for box in picture.properties { file.add(NewItem.Property(box), to: id) }
      if picture.isPremultiplied, let alpha = file.alpha(of: id) {
        file.refer(from: id, "prem", to: [alpha])
      }
      if let exif = picture.exif {
        file.replace("Exif", of: id, with: NewItem("Exif", .media(Extent(exif))))
      }
      for item in picture.metadata { file.refer(from: file.add(item), "cdsc", to: [id]) }
    } catch {
      throw MediaError(error)
    }
  }

  /// - Parameter primary: the index of the primary picture.
  func bytes(primary: Int) throws -> [UInt8] {
    guard pictures.indices.contains(primary) else {
      throw MediaError(.misuse, "primary is \(primary), but there are \(pictures.count) pictures")
    }
    var file = file
    file.primaryID = pictures[primary]
    do {
      return try file.bytes()
    } catch {
      throw MediaError(error)
    }
  }
}

/// The additions of a caller to one of the pictures.
private struct JoinedPicture {
  /// The boxes of further properties.
  var properties: [Node] = []
  /// Further items that describe the picture.
  var metadata: [NewItem] = []
  /// The bytes of the item with its Exif, instead of those in the file.
  var exif: [UInt8]?
  /// Whether code points of colours are written outside of the coded data.
  var keepsColour = true
  var isPremultiplied = false

  /// - Parameter list: the additions to all pictures, an array of objects.
  init(_ list: JSONValue?, at index: Int) throws {
    guard case .array(let pictures)? = list, pictures.indices.contains(index) else { return }
    let object = pictures[index]
    keepsColour = object["nclx"]?.truth ?? true
    isPremultiplied = object["premultiplied"]?.truth ?? false
    exif = try object["exif"].map(Self.bytes)
    properties = try Self.list(object["properties"]).flatMap { value in
      try BoxTree(reading: MemorySource(Self.bytes(value))).boxes
    }
    metadata = try Self.list(object["metadata"]).map { value in
      let type = try Self.bytes(value["type"] ?? .null)
      guard type.count == 4 else {
        throw MediaError(.misuse, "the type of an item has \(type.count) bytes instead of 4")
      }
      var item = NewItem(FourCC(type[...]), .media(Extent(try Self.bytes(value["data"] ?? .null))))
      item.contentType = value["content-type"]?.text ?? ""
      item.isHidden = true
      return item
    }
  }

  private static func list(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let values)? = value { values } else { [] }
  }

  /// Returns the bytes that hexadecimal digits stand for.
  private static func bytes(_ value: JSONValue) throws -> [UInt8] {
    guard let text = value.text, let bytes = [UInt8](hexadecimal: text) else {
      throw MediaError(.misuse, "bytes must be hexadecimal digits")
    }
    return bytes
  }
}

extension NewItemFile {
  /// Returns the alpha plane of a picture.
  fileprivate func alpha(of id: UInt32) -> UInt32? {
    items.indices.first { index in
      items[index].references.contains { $0.type == "auxl" && $0.to == [id] }
        && items[index].properties.contains { property in
          property.node.box.flatMap { $0 as? AuxiliaryType }?.auxType.description
            == "urn:mpeg:hevc:2015:auxid:1"
        }
    }.map { UInt32(clamping: $0 + 1) }
  }
}
