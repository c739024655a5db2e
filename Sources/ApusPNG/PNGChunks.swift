// SPDX-License-Identifier: MIT

public import ApusMedia

/// The metadata of a PNG's samples, all of which precedes them.
public struct PNGChunks: Hashable, Sendable {
  /// The profile in `iCCP`.
  public var profile: [UInt8]?
  /// The name of the profile in `iCCP`: 1 to 79 printable ASCII characters.
  public var profileName = "ICC profile"
  /// The colour in `cICP`, as code points of ITU-T H.273: PNG third edition, 11.3.2.6. Samples are always RGB, so the
  /// matrix is written as 0.
  public var colour: ColourDescription?
  /// The Exif in `eXIf`: a TIFF stream, starting with its byte order mark.
  public var exif: [UInt8]?
  /// The XMP, in an `iTXt` with the keyword `XML:com.adobe.xmp`.
  public var xmp: [UInt8]?
  /// The texts in `tEXt`: a keyword of 1 to 79 characters, and a Latin-1 text; both are ASCII here.
  public var texts: [Text] = []
  /// The resolution in `pHYs`, the same in both directions.
  public var samplesPerMetre: UInt32?

  public init() {}

  /// A text with its keyword.
  public struct Text: Hashable, Sendable {
    /// The keyword, such as `Software`: 1 to 79 characters.
    public var keyword: String
    /// The text in ASCII.
    public var text: String

    public init(_ keyword: String, _ text: String) { (self.keyword, self.text) = (keyword, text) }
  }
}
