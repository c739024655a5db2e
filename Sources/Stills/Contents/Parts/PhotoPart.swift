// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF

/// Something in a file beside its primary picture.
public struct PhotoPart: Sendable {
  public var role: PartRole
  /// What its output is called after the name of the photo: `depth`, `matte-hair`, `right`, `2`.
  public var name: String
  /// The item that it is, in a file of items.
  public var item: UInt32?
  /// The item that it belongs to: the picture that metadata describe, or that another picture accompanies.
  public var owner: UInt32?
  /// How it is coded: a type of items, or a media type.
  public var type: String
  /// The URN of an auxiliary picture, or what else tells parts of one role apart; empty where nothing does.
  public var detail = ""
  /// The size at which the part is shown; `nil` for one that is no picture.
  public var size: (width: Int, height: Int)?
  public var byteCount: Int?
  /// What is missing of it, where it is cut short.
  public internal(set) var gap: String?
  /// What the samples of a depth map stand for that comes out as it is.
  var numbers: DepthNumbers?
  let content: Content

  enum Content: Sendable {
    /// What is decoded; the source says how.
    case picture(PhotoPicture, any PictureSource)
    /// The bytes of the file, and the extension of a file of them.
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
  /// Parts whose outputs would be called the same are numbered from the second on: `thumbnail`, `thumbnail-2`.
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
  /// What its output is called after the name of the photo; that of a picture ends as the pictures of the run do.
  fileprivate var file: String {
    if case .bytes(_, let ending) = content { "\(name).\(ending)" } else { "\(name)." }
  }
}
