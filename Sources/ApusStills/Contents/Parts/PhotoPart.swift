// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEIF

/// Something in a file other than its primary picture.
public struct PhotoPart: Sendable {
  /// The role of the part, which decides how it is extracted.
  public var role: PartRole
  /// The suffix of its output, which follows the name of the photo: `depth`, `matte-hair`, `right`, `2`.
  public var name: String
  /// The ID of the part's item, in a file of items.
  public var item: UInt32?
  /// The ID of the item that it belongs to: the picture that metadata describes, or that an auxiliary picture
  /// accompanies.
  public var owner: UInt32?
  /// The coding of the part, as an item type or a media type.
  public var type: String
  /// The URN of an auxiliary picture, or another text that distinguishes parts with the same role; empty if there is
  /// none.
  public var detail = ""
  /// The displayed size of the part; `nil` if it is not a picture.
  public var size: (width: Int, height: Int)?
  /// The size of the coded data in bytes; `nil` if it cannot be determined.
  public var byteCount: Int?
  /// A description of the missing data, if the part is truncated.
  public internal(set) var gap: String?
  /// The meaning of the samples of a depth map that is extracted unchanged.
  var numbers: DepthNumbers?
  let content: Content

  enum Content: Sendable {
    /// A picture to be decoded as the source describes.
    case picture(PhotoPicture, any PictureSource)
    /// Bytes of the file, and the extension of the output they are written to.
    case bytes([Extent], extension: String)
  }

  init(_ role: PartRole, name: String? = nil, item: Item, content: Content) {
    self.role = role
    self.name = name ?? role.rawValue
    self.item = item.id
    type = item.type == "mime" ? item.contentType : "\(item.type)"
    self.content = content
  }

  init(_ role: PartRole, name: String? = nil, type: String, content: Content) {
    self.role = role
    self.name = name ?? role.rawValue
    self.type = type
    self.content = content
    if case .bytes(let extents, _) = content { byteCount = extents.reduce(0) { $0 + $1.count } }
  }
}

extension PhotoPart {
  /// The data that Samsung's phones append to a picture.
  init(samsungTrailer bytes: Extent) {
    self.init(
      .other, name: "samsung-trailer", type: "Samsung trailer",
      content: .bytes([bytes], extension: "bin"))
  }

  var isSamsungTrailer: Bool { type == "Samsung trailer" }
}

extension [PhotoPart] {
  /// Numbers parts whose outputs would have the same name, beginning with the second: `thumbnail`, `thumbnail-2`.
  func named() -> [PhotoPart] {
    var counts: [String: Int] = [:]
    return map { part in
      var part = part
      let count = counts[part.file, default: 0] + 1
      counts[part.file] = count
      if count > 1 { part.name += part.name.isEmpty ? "\(count)" : "-\(count)" }
      return part
    }
  }
}

extension PhotoPart {
  /// The part of the output's name that follows the name of the photo, without the extension for a picture, because all
  /// pictures of a run have the same one.
  fileprivate var file: String {
    if case .bytes(_, let ending) = content { "\(name).\(ending)" } else { "\(name)." }
  }
}
