// SPDX-License-Identifier: MIT

public import ApusMedia
internal import Testing

/// What every decoder of HEVC has to do.
///
/// - Parameter decoder: makes one that salvages, or does not.
public struct DecoderChecks {
  private let decoder: (Bool) throws -> any PictureDecoder

  public init(_ decoder: @escaping (Bool) throws -> any PictureDecoder) {
    self.decoder = decoder
  }

  /// The tracks of `forms.mp4`, each in its form.
  public static let forms: [(track: UInt32, chroma: Chroma, depth: Int)] =
    [8, 10, 12].flatMap { depth in Chroma.allCases.map { ($0, depth) } }.enumerated()
    .map { (UInt32($0.offset + 1), $0.element.0, $0.element.1) }

  /// The samples are those that the encoder announced.
  public func form(_ track: UInt32, _ chroma: Chroma, _ depth: Int) throws {
    let picture = try CodedFixture.frame(ofTrack: track, in: "forms.mp4")
    let planes = try DecodedPlanes(picture, by: decoder(false))
    #expect(
      planes.format == PictureFormat(width: 64, height: 48, chroma: chroma, bitDepth: depth))
    #expect(planes.checksums == picture.announcedChecksums)
  }

  /// `ffmpeg -i FILE -map 0:v -fps_mode passthrough -f framecrc -`
  public static let frames: [(file: String, sums: [UInt32])] = [
    (
      "hvc1.mp4",
      [
        0x8759_6ab0, 0x2673_6c20, 0x2e96_6a7b, 0x9881_696b, 0x6f63_6fe6, 0x57b4_6db8, 0x7908_691f,
        0xb96e_6a34, 0x0f5e_6980, 0x6b3c_69d2,
      ]
    ),
    // 4:2:2 of 10 bits, with samples that the conformance window leaves out.
    (
      "hev1-10bit.mp4",
      [
        0xe115_3da3, 0x03f0_3fc8, 0xf932_437a, 0xf1ed_415b, 0x0542_2db7, 0xe997_32a0, 0x7fd3_1f98,
        0x7fd3_1f98, 0x7fd3_1f98, 0x7fd3_1f98,
      ]
    ),
  ]

  /// Each frame is predicted from others, and found among them. One decoder takes them all, to and fro.
  public func frames(of file: String, _ sums: [UInt32]) throws {
    let decoder = try decoder(false)
    for index in sums.indices.reversed() + Array(sums.indices) {
      let picture = try CodedFixture.frame(index, in: file)
      #expect(try DecodedPlanes(picture, by: decoder).frameCRC == sums[index], "frame \(index)")
    }
  }

  /// A broken picture is refused, and leaves nothing behind for the next one.
  public func refuses(_ damage: Damage) throws {
    let whole = try damage.picture()
    let decoder = try decoder(false)
    let planes = try DecodedPlanes(whole, by: decoder)
    let (handed, error) = DecodedPlanes.salvaged(damage.applied(to: whole), by: decoder)
    #expect(handed.isEmpty)
    #expect(error?.kind == damage.kind)
    #expect(error?.message.contains(damage.text) == true, "\(error?.message ?? "no error")")
    #expect(try DecodedPlanes(whole, by: decoder) == planes)
  }

  /// What is left of it is handed over, once, and the error is the same.
  public func salvages(_ damage: Damage) throws {
    let broken = damage.applied(to: try damage.picture())
    let (handed, error) = try DecodedPlanes.salvaged(broken, by: decoder(true))
    #expect(handed.count == (damage.leavesPicture ? 1 : 0))
    #expect(error == DecodedPlanes.salvaged(broken, by: try decoder(false)).error)
  }
}
