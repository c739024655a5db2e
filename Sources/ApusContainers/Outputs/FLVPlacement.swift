// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
package import ApusSamples
package import FLV

/// The tracks of a source on their way into FLV or RTMP: the place of each, and its current format.
package struct FLVPlacement: Sendable {
  package private(set) var tracks: [CodedTrack]
  /// The place of each track; `nil` for those that are left out.
  package let places: [FLVPlace?]
  /// The tracks with layers above the base, for which FLV has no decoder configuration.
  private let layered: Set<Int>

  /// - Parameter isMultitrack: whether more than one track of a kind can be carried.
  package init(_ tracks: [CodedTrack], _ dialect: HEVCDialect?, isMultitrack: Bool = true) {
    self.tracks = tracks
    layered = Set(tracks.indices.filter { UpperLayers.exist(in: tracks[$0]) })
    places = FLVPlace.places(of: tracks, dialect).map { place in
      guard case .success(let place) = place, isMultitrack || place.id == 0 else { return nil }
      return place
    }
  }

  package var video: [VideoTrack] {
    zip(tracks, places).compactMap { track, place in
      if case .video(let id) = place { FLVPlace.videoTrack(track, id: id) } else { nil }
    }
  }

  package var audio: [AudioTrack] {
    zip(tracks, places).compactMap { track, place in
      if case .audio(let id) = place { FLVPlace.audioTrack(track, id: id) } else { nil }
    }
  }

  /// Returns the frame for a sample; `nil` where its track is left out.
  package func frame(of sample: CodedSample) throws -> Frame? {
    guard let place = places[sample.track] else { return nil }
    var payload = sample.payload
    if layered.contains(sample.track) {
      payload = try UpperLayers.removed(
        from: payload, lengthSize: tracks[sample.track].format.lengthSize)
    }
    return Frame(
      place.media, trackID: place.id, decodeTime: sample.decodeTime,
      presentationTime: sample.presentationTime, payload: payload, isKey: sample.isSync)
  }

  /// Returns the frame for a sample whose tag was made already, for its times only.
  package func times(of sample: CodedSample) -> Frame? {
    guard let place = places[sample.track] else { return nil }
    return Frame(
      place.media, trackID: place.id, decodeTime: sample.decodeTime,
      presentationTime: sample.presentationTime, payload: Extent())
  }

  /// Switches to another format for the samples of a track that follow.
  ///
  /// - Returns: the tags that announce it.
  package mutating func change(
    _ track: Int, to format: CodedTrack.Format, in packetizer: inout Packetizer
  ) throws -> [OutgoingTag] {
    tracks[track].format = format
    // The sets of the new format give the size, if they can be read.
    (tracks[track].width, tracks[track].height) = (0, 0)
    return switch places[track] {
    case .video(let id): try packetizer.change(to: FLVPlace.videoTrack(tracks[track], id: id))
    case .audio(let id): try packetizer.change(to: FLVPlace.audioTrack(tracks[track], id: id))
    case nil: []
    }
  }
}

extension FLVPlace {
  /// The number of the track among those of its kind.
  package var id: UInt8 {
    switch self {
    case .video(let id), .audio(let id): id
    }
  }

  fileprivate var media: Frame.Media {
    switch self {
    case .video: .video
    case .audio: .audio
    }
  }
}
