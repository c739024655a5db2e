// SPDX-License-Identifier: MIT

public import ApusMedia

/// A picture that accompanies another and has the same orientation: alpha, depth, mattes (ISO/IEC 23008-12, 6.5.8), or
/// a gain map.
public struct NewAuxiliary: Sendable {
  /// The kind of auxiliary picture.
  public enum Use: Sendable {
    /// A URN, and the bytes after it in `auxC`, whose meaning depends on the URN.
    case auxiliary(urn: String, subtype: [UInt8] = [])
    /// The map of a `tmap` item, which is an alternative of the picture; with a URN, it is an auxiliary picture as well.
    case gainMap(NewToneMap, urn: String? = nil)

    /// The properties that state the kind of auxiliary picture.
    var properties: [NewItem.Property] {
      switch self {
      case .auxiliary(let urn, let subtype): [.auxiliary(urn, subtype)]
      case .gainMap(_, let urn): urn.map { [.auxiliary($0)] } ?? []
      }
    }
  }

  /// The coded samples of the picture.
  public var picture: NewPicture
  /// The kind of auxiliary picture, with the data that describes it.
  public var use: Use
  /// The XMP that describes this picture, not its master.
  public var xmp: [UInt8] = []
  /// Whether the samples of the picture are premultiplied with this alpha (`prem`).
  public var isPremultiplied = false

  public init(_ picture: NewPicture, _ use: Use) {
    self.picture = picture
    self.use = use
  }

  /// Returns an alpha plane: ISO/IEC 23008-12, B.2.2.2.
  public static func alpha(_ plane: NewPicture) -> NewAuxiliary {
    NewAuxiliary(plane, .auxiliary(urn: "urn:mpeg:hevc:2015:auxid:1"))
  }
}

/// The facts of a `tmap` item about the HDR picture of a gain map: ISO/IEC 23008-12, 6.6.2.4.
public struct NewToneMap: Sendable {
  /// The data of the item: its version, and the parameters of ISO 21496-1.
  public var data: [UInt8]
  /// The colour of the resulting picture.
  public var colour: ColourDescription?
  /// The ICC profile of the resulting picture; empty for none.
  public var profile: [UInt8] = []

  public init(_ data: [UInt8]) { self.data = data }
}
