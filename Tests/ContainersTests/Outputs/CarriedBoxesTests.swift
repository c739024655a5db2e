// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

/// What of a movie's boxes does not get into other containers is said, and nothing else is.
@Suite struct CarriedBoxesTests {
  private static let spherical: [UInt8] = [
    0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
  ]

  private static func box(_ type: FourCC, userType: [UInt8] = []) -> Node {
    var header = BoxHeader(type)
    header.userType = userType
    return Node(header: header, content: .opaque(Extent([UInt8]()), .unknown))
  }

  private func video(_ inEntry: [Node], _ inTrack: [Node] = []) throws -> CodedTrack {
    var track = try MovieSource(Fixture.source("hvc1.mp4")).tracks[0]
    track.details.sampleEntries[0].node.children += inEntry
    track.details.boxes += inTrack
    return track
  }

  @Test(
    arguments: [
      ("clap", "a clean aperture (clap)"), ("st3d", "the arrangement of two views (st3d)"),
      ("sv3d", "spherical video (sv3d)"), ("vexu", "spatial video (vexu)"),
      ("hfov", "a field of view (hfov)"), ("pasp", nil), ("free", nil),
    ] as [(FourCC, String?)])
  func `it names what only a sample entry says of how pictures are shown`(
    type: FourCC, words: String?
  ) throws {
    let track = try video([Self.box(type)])
    let loss = track.displayLoss(as: "it")
    #expect(loss == words.map { "it has \($0), left out here" })
  }

  @Test func `it knows spherical video of the first version among boxes of makers`() throws {
    let other = [UInt8](0..<16)
    let unknown = try video([], [Self.box("uuid", userType: other)])
    #expect(unknown.displayLoss(as: "it") == nil)
    let both = try video([Self.box("clap")], [Self.box("uuid", userType: Self.spherical)])
    #expect(
      both.displayLoss(as: "it")
        == "it has a clean aperture (clap), spherical video (uuid), left out here")
  }

  @Test(
    arguments: [
      (RemuxTarget.mkv, nil), (.flv, "it shows two views (left_right), which flv cannot store"),
      (.mp4, "it shows two views (left_right), which mp4 cannot store"),
    ] as [(RemuxTarget, String?)])
  func `it says where two views in a picture are not said`(target: RemuxTarget, words: String?)
    throws
  {
    var track = try video([])
    #expect(track.stereoLoss(as: "it", in: target) == nil)
    track.details.tags = [("STEREO_MODE", "mono")]
    #expect(track.stereoLoss(as: "it", in: target) == nil)
    track.details.tags = [("stereo_mode", "left_right")]
    #expect(track.stereoLoss(as: "it", in: target) == words)
  }

  /// A location of 3GPP (`loci`) and a maker's box are no tags; the title of `udta` is one.
  @Test(arguments: [RemuxTarget.mkv, .flv])
  func `it names the boxes that become no tags`(target: RemuxTarget) throws {
    var details = MediaDetails()
    details.tags = [("title", "T")]
    let tags = try #require(MovieTags.metadata(details.tags))
    var user = UserData()
    user.boxes = [tags]
    details.boxes = [Node("udta", user)]
    #expect(details.loss(in: target) == nil)
    user.boxes.append(Self.box("loci"))
    details.boxes = [Node("udta", user), Self.box("uuid", userType: [UInt8](0..<16))]
    #expect(
      details.loss(in: target)
        == "its other data (loci, uuid), which \(target.title) cannot hold, are left out")
  }

  /// Expected values are those that FFmpeg writes for its dispositions (`ff_mov_track_kind_table`).
  @Test(
    arguments: [
      (.forced, "forced-subtitle"), (.dub, "dub"), (.comment, "commentary"),
      (.hearingImpaired, "caption"), (.visualImpaired, "description"), (.chosen, nil),
    ] as [(TrackDetails.Role, String?)])
  func `it writes what a track is for`(role: TrackDetails.Role, word: String?) throws {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    let events = try source.rest()
    var tracks = source.tracks
    for index in tracks.indices { tracks[index].details = TrackDetails() }
    tracks[0].details.roles = [role]
    var output = try MovieOutput(tracks, to: ArraySink())
    for event in events { try output.add(event) }
    try output.finish()
    let movie = Movie(try BoxTree(reading: MemorySource(output.sink.bytes)))
    let kinds = movie.tracks.map { track in
      track.located.child("udta")?.children(of: "kind").compactMap { $0.box(TrackKind.self) } ?? []
    }
    #expect(kinds[0].map(\.value.description) == [word].compactMap(\.self))
    #expect(kinds[0].allSatisfy { $0.schemeURI.description == "urn:mpeg:dash:role:2011" })
    #expect(kinds.dropFirst().joined().isEmpty)
  }
}
