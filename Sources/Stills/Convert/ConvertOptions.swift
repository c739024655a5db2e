// SPDX-License-Identifier: MIT

public import Bytes
public import HEIF

/// What a photo is made into, and how.
public struct ConvertOptions: Hashable, Sendable {
  public var format = OutputFormat.jpeg
  /// Of a JPEG: 1 to 100, as libjpeg counts.
  public var quality = 90
  public var chroma = ChromaChoice.auto
  /// Of a JPEG: several scans, or Huffman tables made for the picture. Both hold the whole picture in memory.
  public var isProgressive = false
  public var isOptimized = false
  /// What shows through where a picture with alpha becomes one without: red, green, blue.
  public var background: [UInt8] = [255, 255, 255]
  public var convertsToSRGB = false
  public var hdr = HDRChoice.tonemap
  public var orientation = OrientationChoice.auto
  /// Leaves the samples as they are stored and says in Exif how to lay them.
  public var keepsOrientationTag = false
  public var strip = StripChoice.nothing
  /// Makes the small picture in Exif anew.
  public var makesThumbnail = false
  public var decoder = DecoderChoice.auto
  /// Writes what there is of a broken picture, and reports it as salvaged.
  public var salvages = false
  public var images = ImageChoice.primary
  /// The frame of an image sequence, from 0.
  public var frame: Int?
  /// Decodes the result again before it gets its name.
  public var verifies = false
  public var limits = PlanLimits()
  /// What reading the boxes may cost.
  public var boxLimits = Limits()

  public init() {}
}

public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, ppm, yuv
}

/// How many colour samples a JPEG holds; `auto` keeps what the source has.
public enum ChromaChoice: String, Hashable, Sendable, CaseIterable {
  case auto
  case yuv420 = "420"
  case yuv422 = "422"
  case yuv444 = "444"
}

/// What becomes of PQ and HLG pictures.
public enum HDRChoice: String, Hashable, Sendable, CaseIterable {
  case tonemap, keep
}

/// Who is believed about how a picture is laid.
public enum OrientationChoice: String, Hashable, Sendable, CaseIterable {
  case auto, container, exif
}

public enum StripChoice: String, Hashable, Sendable, CaseIterable {
  case nothing, gps, all
}

/// Who decodes HEVC; other codecs have one decoder each.
public enum DecoderChoice: String, Hashable, Sendable, CaseIterable {
  case auto, libavcodec, libde265
}

/// Which pictures of a file.
public enum ImageChoice: String, Hashable, Sendable, CaseIterable {
  case primary, all
}
