// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusRecords
internal import ApusSamples
internal import HEVC
internal import HLS
internal import ISOBMFF

/// The facts about a track for playlists, read from the header that was written for it.
struct EntryFacts: Sendable {
  /// The codec string: RFC 6381.
  private(set) var codec = ""
  /// The size at which the track is shown, rotated as the header requires.
  private(set) var size: MultivariantPlaylist.Size?
  private(set) var isVideo = false
  private(set) var videoRange = VideoRange.standard
  /// The codecs as which players that support Dolby Vision may treat the samples, with the brand that tells which
  /// others play them: `dvh1.08.04/db4h`.
  private(set) var supplementalCodecs: [String] = []
  /// The profile of Dolby Vision whose base layer no other decoder understands; `nil` for everything else.
  private(set) var loneDolbyVision: Int?

  /// The number of channels or objects of sound: `6`, `16/JOC`; `nil` where the boxes do not give it.
  private(set) var channels: String?

  init(header: [UInt8]) throws {
    guard let track = Movie(try BoxTree(reading: MemorySource(header))).tracks.first else {
      throw MediaError(.invalid, of: .part("moov"), "has no track")
    }
    try self.init(track)
  }

  /// Creates the facts about a track without a sample entry, such as one of a transport stream.
  init(_ track: CodedTrack) {
    var picture = track.picture
    switch track.format {
    case .hevc(let record):
      codec = record.codecString()
      picture.complete(from: HeadersReader().headers(of: record))
    case .avc(let record):
      if record.count > 3 {
        codec = "avc1." + record[1...3].hexadecimal(uppercase: true)
      }
      picture.complete(fromAVC: record)
    case .aac(let specific): codec = CodecString.aac(specific)
    case .other(let type, _): codec = type.description
    }
    if track.channels > 0 { channels = "\(track.channels)" }
    guard track.kind == .video else { return }
    isVideo = true
    videoRange = VideoRange(transfer: picture.colour?.transfer)
    if track.width > 0, track.height > 0 {
      size = MultivariantPlaylist.Size(width: track.width, height: track.height)
    }
  }

  init(_ track: Track) throws {
    guard let entry = track.sampleEntries.first else {
      throw MediaError(.invalid, of: .part("moov"), "has no sample entry")
    }
    codec = CodecString.of(entry)
    if let header = track.header, header.width > 0 {
      let (width, height) = (Int(header.width >> 16), Int(header.height >> 16))
      // The matrix of a quarter turn has a diagonal of zeros.
      let isUpright = header.matrix.a != 0 || header.matrix.d != 0
      size = MultivariantPlaylist.Size(
        width: isUpright ? width : height, height: isUpright ? height : width)
    }
    for box in entry.node.children {
      if let dolby = box.box as? AC3Specific { channels = "\(dolby.channels)" }
      guard let dolby = box.box as? EC3Specific else { continue }
      let objects = dolby.objectExtension.flatMap { $0.isPresent ? $0.complexityIndex : nil }
      channels = objects.map { "\($0)/JOC" } ?? "\(dolby.channels)"
    }
    guard track.handler == "vide" else { return }
    isVideo = true
    let transfer = try PictureTraits(entry: entry).colour?.transfer
    videoRange = VideoRange(transfer: transfer)
    for box in entry.node.children {
      guard let vision = box.box as? DolbyVisionConfiguration else { continue }
      videoRange = VideoRange(
        dolbyVision: Int(vision.profile), compatibility: Int(vision.compatibilityID),
        transfer: transfer)
      if vision.profile == 5 || (vision.profile == 10 && vision.compatibilityID == 0) {
        loneDolbyVision = Int(vision.profile)
      }
      let dolby = CodecString.supplemental(entry).filter { $0.hasPrefix("d") }
      guard let brand = Self.brand(of: vision) else { continue }
      supplementalCodecs = dolby.map { "\($0)/\(brand)" }
    }
  }

  /// Returns the brand of a profile whose base layer others play: Dolby Vision Streams within the HTTP Live Streaming
  /// format.
  private static func brand(of vision: DolbyVisionConfiguration) -> String? {
    guard vision.profile == 8 || vision.profile == 10 else { return nil }
    return switch vision.compatibilityID {
    case 1: "db1p"
    case 2: "db2g"
    case 4: "db4h"
    default: nil
    }
  }
}
