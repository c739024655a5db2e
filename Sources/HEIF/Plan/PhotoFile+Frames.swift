// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension PhotoFile {
  /// The number of frames of the picture track; 0 in a file without one.
  public func frames() throws(SyntaxError) -> Int {
    guard let track = PictureTrack.first(in: movie) else { return 0 }
    return try PictureTrack(track: track, source: source, limits: limits).count()
  }

  /// Returns all frames of the picture track, in display order.
  public func allFrames() throws(SyntaxError) -> [PhotoPicture] {
    guard let track = PictureTrack.first(in: movie) else { return [] }
    return try (0..<frames()).map { index in
      PhotoPicture(.frame(track: track.id, index: index), isPrimary: index == 0)
    }
  }

  /// Returns a frame of the picture track, by its index in display order.
  public func frame(_ index: Int) throws(SyntaxError) -> PhotoPicture {
    guard let track = PictureTrack.first(in: movie) else {
      throw SyntaxError(
        .misuse, field: "frame \(index)",
        detail: "does not exist: the file has no picture track")
    }
    let count = try PictureTrack(track: track, source: source, limits: limits).count()
    guard (0..<count).contains(index) else {
      throw PictureTrack.absence(of: index, in: track, showing: count)
    }
    return PhotoPicture(.frame(track: track.id, index: index), isPrimary: index == 0)
  }

  /// All frames of an image sequence; only the first of a video.
  var framePictures: [PhotoPicture] {
    guard let track = PictureTrack.first(in: movie) else { return [] }
    let first = PhotoPicture(.frame(track: track.id, index: 0), isPrimary: true)
    // A track that cannot be read reports that when its first frame is planned.
    guard track.handler == "pict",
      let count = try? PictureTrack(track: track, source: source, limits: limits).count()
    else { return [first] }
    return [first] + (1..<max(count, 1)).map { PhotoPicture(.frame(track: track.id, index: $0)) }
  }

  func plan(ofFrame index: Int, ofTrack id: UInt32) throws(SyntaxError) -> PicturePlan {
    guard let track = movie.tracks.first(where: { $0.id == id }) else {
      throw SyntaxError(.misuse, field: "track \(id)", detail: "is not in the file")
    }
    var planner = FramePlanner(track: track, source: source, limits: limits)
    return try planner.plan(index)
  }
}
