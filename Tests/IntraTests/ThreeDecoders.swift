// SPDX-License-Identifier: MIT

import ApusDe265
import ApusFFmpeg
import ApusIntra
import ApusMedia
import TestSupport
import Testing

/// Our decoder beside two that know nothing of it.
enum ThreeDecoders {
  /// What the others are known to get wrong, each with the reason.
  struct Faults: Sendable {
    var libavcodec: String?
    var libde265: String?
  }

  /// Decodes a picture by all of them. The others have to give the same samples but where they have a fault; even then
  /// one of them has to agree in every single sample.
  ///
  /// - Returns: what the tools of the picture were used for.
  @discardableResult
  static func compare(_ picture: CodedPicture, _ faults: Faults = Faults(), _ name: String) throws
    -> ToolUsage
  {
    let decoder = IntraDecoder()
    let planes = try DecodedPlanes(picture, by: decoder)
    var others: [DecodedPlanes] = []
    for (library, fault) in [
      (try FFmpegDecoder() as any PictureDecoder, faults.libavcodec),
      (try De265Decoder() as any PictureDecoder, faults.libde265),
    ] {
      let (pictures, error) = DecodedPlanes.salvaged(picture, by: library)
      if let other = pictures.first, other.format == planes.format { others.append(other) }
      guard fault == nil else { continue }
      let isSame = error == nil && pictures == [planes]
      #expect(isSame, "\(name), \(library.name): \(difference(planes, pictures.first, error))")
    }
    for plane in planes.planes.indices {
      let lonely = planes.planes[plane].indices.first { place in
        others.allSatisfy { $0.planes[plane][place] != planes.planes[plane][place] }
      }
      #expect(lonely == nil, "\(name): nobody agrees in plane \(plane)")
    }
    return decoder.usage
  }

  /// Where two pictures differ first.
  private static func difference(
    _ one: DecodedPlanes, _ other: DecodedPlanes?, _ error: MediaError?
  ) -> String {
    guard let other, error == nil else { return error?.message ?? "nothing" }
    guard one.format == other.format else { return "\(one.format), not \(other.format)" }
    for plane in one.planes.indices where one.planes[plane] != other.planes[plane] {
      let bytes = one.format.bytesPerSample
      let width = one.format.width(ofPlane: plane) * bytes
      let places = one.planes[plane].indices.filter {
        one.planes[plane][$0] != other.planes[plane][$0]
      }
      let place = places.first ?? 0
      return "\(places.count) bytes of plane \(plane), first at column \(place % width / bytes), "
        + "row \(place / width)"
    }
    return "the same"
  }
}

extension ThreeDecoders.Faults {
  /// Coding tree blocks of 16 have 8 × 8 samples of Cb and Cr, whose corners libavcodec offsets before they are
  /// deblocked.
  static let corners = Self(libavcodec: "offsets corners of small coding tree blocks")
  static let unfilteredChroma = Self(libavcodec: "filters chroma that is to stay as it is")
  static let slices = Self(libavcodec: "takes another slice's word at corners")
  /// In 4:2:0 alone; the same pictures in 4:4:4 it filters as we do.
  static let chromaAcross = Self(
    libde265: "looks for the slice of a chroma sample in the wrong place")
  static let losslessTools = Self(
    libavcodec: "does not rotate lossless blocks, and smooths edges of their prediction")
  static let greyPCM = Self(libavcodec: "expects PCM samples of Cb and Cr in grey pictures")
  static let offsetList = Self(libde265: "does not read offsets for chroma")
  static let chromaLists = Self(libde265: "takes the wrong lists for 32 × 32 of chroma")
  static let skippedLists = Self(libde265: "scales large blocks that skip the transform by lists")
  static let largeSkip = Self(libavcodec: "overflows in large blocks that skip the transform")
}
