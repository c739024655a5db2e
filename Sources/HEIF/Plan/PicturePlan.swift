// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// What must be decoded for one picture of a file, and how it is composed: every derivation (`grid`, `iovl`,
/// `iden`) and every transformation (`clap`, `irot`, `imir`) is worked out to pieces of coded pictures laid
/// onto one canvas. Nothing is decoded to make it, and it can be printed.
public struct PicturePlan: Sendable {
  /// The sides of the result, upright.
  public var width: Int
  public var height: Int
  /// The sources to decode, each once.
  public var sources: [PlannedSource] = []
  /// The pieces to paint, in this order: a later piece covers an earlier one.
  public var pieces: [PlannedPiece] = []
  /// The background of an overlay: red, green, blue and alpha of 16 bits.
  public var fill: [UInt16]?
  public var colour = PlannedColour()
  /// The plan of the alpha auxiliary picture: its luma on a canvas of the same sides.
  public var alpha: [PicturePlan] = []
  public var isAlphaPremultiplied = false
  /// The combined transformations of the picture, which make its stored samples upright.
  public var orientation = Orientation.upright
  /// Whether the container says how the picture is oriented (`irot` or `imir` are there, if only to do nothing).
  public var isPlacedByContainer = false
  /// The findings: contradictions in the file and how they were resolved, and ignored data.
  public var findings: [Finding] = []
  /// The canvas that this is a part of; `nil` where it is all of it.
  var uncut: UncutCanvas?

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A coded picture to be decoded.
public struct PlannedSource: Sendable {
  /// The name in messages: `item 12`, `tile 5 (item 12)`, `frame 0 of track 1`.
  public var name: String
  /// The item that it is; `nil` where it is a frame of a track, or all of a file.
  public var item: UInt32?
  public var codec: PictureCodec
  public var configuration: [UInt8]
  /// The extents of the samples: of those that the picture is predicted from, and last of its own.
  public var samples: [[Extent]]
  /// The shape that the configuration announces, the conformance window of the picture.
  public var format: PictureFormat
  /// The colour according to the stream.
  public var colour: ColourDescription?
  /// The place of its colour samples between those of luma.
  public var site: ChromaSite
  /// The factor by which it is decoded smaller than it is coded, which only JPEG can be: 1, 2, 4 or 8.
  public var reduction = 1
  /// Whether its rows can be decoded a few at a time, from top to bottom, as those of a PNG can.
  public var comesInRows = false
  /// The memory of a decoder in bytes while it returns such rows; an interlaced PNG is decoded completely first.
  public var heldBytes = 0

  public init(
    name: String, codec: PictureCodec, configuration: [UInt8], samples: [[Extent]],
    format: PictureFormat, colour: ColourDescription? = nil, site: ChromaSite = .left
  ) {
    self.name = name
    self.codec = codec
    self.configuration = configuration
    self.samples = samples
    self.format = format
    self.colour = colour
    self.site = site
  }
}

/// Part of a coded picture, laid onto the canvas.
public struct PlannedPiece: Hashable, Sendable {
  /// The index of the source.
  public var source: Int
  /// The part of it, in its own samples.
  public var crop: PixelRect
  /// The orientation of the part.
  public var orientation: Orientation
  /// The place on the canvas: its sides are those of `crop`, swapped where the orientation swaps them.
  public var place: PixelRect
  /// The source whose luma is its alpha, with the same crop (of overlaid pictures with an alpha of their own).
  public var alphaSource: Int?

  public init(source: Int, crop: PixelRect, orientation: Orientation, place: PixelRect) {
    self.source = source
    self.crop = crop
    self.orientation = orientation
    self.place = place
  }
}

/// The colour of a picture.
public struct PlannedColour: Sendable {
  /// The meaning of the samples, as completely as the file and the stream define it.
  public var description = ColourDescription()
  /// The ICC profile of the picture.
  public var profile: Extent?
  /// The origin of the description: `colr of item 49`, `the stream`, `nothing says`.
  public var origin = "nothing says"

  public init() {}
}
