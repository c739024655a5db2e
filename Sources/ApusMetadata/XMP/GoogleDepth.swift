// SPDX-License-Identifier: MIT

/// The depth map and the original of a blurred picture that Google's cameras and others store in the XMP of a JPEG:
/// Depth Map Metadata (GDepth) and GImage.
public struct GoogleDepth: Sendable {
  /// A file inside XMP.
  public struct File: Sendable {
    /// The media type, `image/jpeg` or `image/png`.
    public var mediaType: String
    /// The decoded bytes of the file.
    public var bytes: [UInt8]
  }

  /// The depth map; `nil` if the metadata has none.
  public var map: File?
  /// The original from which the picture was computed.
  public var original: File?
  /// Whether samples are inverses of distances (`RangeInverse`) instead of distances (`RangeLinear`).
  public var isInverse = true
  /// The distance at sample value 0, in metres.
  public var near: Double?
  /// The distance at the maximum sample value, in metres.
  public var far: Double?

  private static let depth = "http://ns.google.com/photos/1.0/depthmap/"
  private static let image = "http://ns.google.com/photos/1.0/image/"

  /// Reads the maps from the metadata of a JPEG.
  ///
  /// - Parameter metadata: the metadata of a JPEG, including extended XMP, because files are too large for the main
  ///   packet.
  public init(_ metadata: SourceMetadata) {
    let packets = [metadata.xmp ?? [], metadata.extendedXMP].filter { !$0.isEmpty }
      .compactMap(XMPReader.init)
    func value(_ namespace: String, _ name: String) -> String? {
      packets.lazy.compactMap { $0.value(namespace, name) }.first
    }
    func file(_ namespace: String) -> File? {
      guard let text = value(namespace, "Data"), let bytes = Self.decoded(text.utf8), !bytes.isEmpty
      else { return nil }
      return File(mediaType: value(namespace, "Mime") ?? "image/jpeg", bytes: bytes)
    }
    map = file(Self.depth)
    original = file(Self.image)
    isInverse = value(Self.depth, "Format") != "RangeLinear"
    let unit = value(Self.depth, "Units") == "mm" ? 0.001 : 1
    func number(_ name: String) -> Double? {
      packets.lazy.compactMap { $0.number(Self.depth, name) }.first.map { $0 * unit }
    }
    if let near = number("Near"), let far = number("Far"), near > 0, far >= near {
      (self.near, self.far) = (near, far)
    }
  }

  /// Decodes base 64 (RFC 4648, 4) with blanks allowed; returns `nil` for anything else.
  static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    var padding = 0
    for character in text {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 1
      if count == 4 {
        bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
        (bits, count) = (0, 0)
      }
    }
    switch (count, padding) {
    case (0, 0): return bytes
    case (2, 0), (2, 2): return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case (3, 0), (3, 1):
      return bytes + [10, 2].map { UInt8(truncatingIfNeeded: bits >> $0) }
    default: return nil
    }
  }
}
