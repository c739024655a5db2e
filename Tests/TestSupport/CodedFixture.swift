// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import HEIF
internal import HEVC

/// Coded pictures of `Fixtures`.
public enum CodedFixture {
  /// A frame of a track, with what it is predicted from; frames are counted as they are shown.
  public static func frame(_ index: Int = 0, ofTrack track: UInt32 = 1, in name: String) throws
    -> CodedPicture
  {
    try picture(PhotoPicture(.frame(track: track, index: index)), in: name)
  }

  public static func item(_ id: UInt32, in name: String) throws -> CodedPicture {
    try picture(PhotoPicture(.item(id)), in: name)
  }

  private static func picture(_ picture: PhotoPicture, in name: String) throws -> CodedPicture {
    let plan = try PhotoFile(Fixture.tree(name)).plan(picture)
    guard let source = plan.sources.first else { throw MediaError(.misuse, "has no source") }
    return try source.loaded()
  }
}

extension CodedPicture {
  /// The NAL units of the last sample, behind lengths of four bytes.
  public var units: [[UInt8]] {
    get {
      guard let sample = samples.last else { return [] }
      return UnitFraming(self)?.units(of: sample).map { Array(sample[$0]) } ?? []
    }
    set {
      let sample = newValue.flatMap { UInt32($0.count).bigEndianBytes + $0 }
      samples = samples.dropLast() + [sample]
    }
  }

  /// What the encoder says of the samples that it coded, a checksum for each plane: ITU-T H.265, D.3.19.
  public var announcedChecksums: [UInt32]? {
    for unit in units {
      guard let header = NALUnitHeader(of: unit), header.nalUnitType == .suffixSEI else { continue }
      return NALUnit<SupplementalInformation>(unit).payload?.first(DecodedPictureHash.self)?
        .pictureChecksum
    }
    return nil
  }
}
