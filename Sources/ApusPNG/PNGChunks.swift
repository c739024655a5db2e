// SPDX-License-Identifier: MIT

public import Media

/// What a PNG says about its samples; all of it precedes them.
public struct PNGChunks: Hashable, Sendable {
  /// `iCCP`.
  public var profile: [UInt8]?
  /// What `iCCP` calls the profile: 1 to 79 printable characters of ASCII.
  public var profileName = "ICC profile"
  /// `cICP`, code points of ITU-T H.273: PNG third edition, 11.3.2.6. Samples are always RGB, so the matrix is
  /// written as 0.
  public var colour: ColourDescription?
  /// `eXIf`: a TIFF stream from its byte order mark on.
  public var exif: [UInt8]?
  /// `iTXt` with the keyword `XML:com.adobe.xmp`.
  public var xmp: [UInt8]?
  /// `tEXt`: a keyword of 1 to 79 characters, and a text of Latin-1; both are ASCII here.
  public var texts: [Text] = []
  /// `pHYs`, the same across and down.
  public var samplesPerMetre: UInt32?

  public init() {}

  /// A text and what it is about.
  public struct Text: Hashable, Sendable {
    public var keyword: String
    public var text: String

    public init(_ keyword: String, _ text: String) { (self.keyword, self.text) = (keyword, text) }
  }
}
