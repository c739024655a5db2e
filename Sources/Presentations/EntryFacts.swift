// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import HLS
internal import ISOBMFF
internal import Media
internal import Records

/// What playlists say of a track, read from the header that was written for it.
struct EntryFacts: Sendable {
  /// The codec string: RFC 6381.
  private(set) var codec = ""
  /// The size at which the track is shown, turned as the header says.
  private(set) var size: MultivariantPlaylist.Size?
  private(set) var videoRange = "SDR"

  init(header: [UInt8]) throws {
    guard let track = Movie(try BoxTree(reading: MemorySource(header))).tracks.first,
      let entry = track.sampleEntries.first
    else {
      throw MediaError(.misuse, of: .part("moov"), "has no sample entry")
    }
    codec = CodecString.of(entry)
    if let header = track.header, header.width > 0 {
      let (width, height) = (Int(header.width >> 16), Int(header.height >> 16))
      // A quarter turn has nothing on its diagonal.
      let isUpright = header.matrix.a != 0 || header.matrix.d != 0
      size = MultivariantPlaylist.Size(
        width: isUpright ? width : height, height: isUpright ? height : width)
    }
    // ITU-T H.273: 16 is PQ, 18 is HLG.
    for box in entry.located.children {
      switch box.box(ColourInformation.self)?.transferCharacteristics {
      case 16: videoRange = "PQ"
      case 18: videoRange = "HLG"
      default: break
      }
    }
  }
}
