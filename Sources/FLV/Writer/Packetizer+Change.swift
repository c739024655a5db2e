// SPDX-License-Identifier: MIT

public import ApusBytes
internal import HEVC

extension Packetizer {
  /// Returns the end of a track's sequence and its new configuration, for changes that no frame carries: the frames
  /// that follow have the new format.
  ///
  /// - Parameter track: the new track, with the id of the one that it replaces.
  public mutating func change(to track: VideoTrack) throws(SyntaxError) -> [OutgoingTag] {
    guard let place = video.firstIndex(where: { $0.id == track.id }) else {
      throw Self.refusal("track", "\(track.id) was not announced")
    }
    let before = video[place]
    let time = lastTime(of: .video)
    var tags = [try end(of: before, at: time)]
    let hadColours = trackers[track.id].map { ColorInfo($0.headers) != nil } ?? false
    video[place] = track
    trackers[track.id] = nil
    if case .hevc(let record) = track.format {
      guard options.dialect != nil else {
        throw Self.refusal(
          "dialect", "is not chosen: HEVC needs enhanced (hvc1) or legacy (codec id 12)")
      }
      trackers[track.id] = ParameterSetTracker(record.withoutUserData())
    }
    tags.append(try OutgoingTag(metadata(), time: time))
    if hadColours, trackers[track.id].map({ ColorInfo($0.headers) == nil }) ?? false {
      tags += try colors(nil, of: track, at: time)
    }
    return tags + (try configuration(of: track, at: time))
  }

  /// Returns the new configuration of a sound track, which needs no end before it.
  public mutating func change(to track: AudioTrack) throws(SyntaxError) -> [OutgoingTag] {
    guard let place = audio.firstIndex(where: { $0.id == track.id }) else {
      throw Self.refusal("track", "\(track.id) was not announced")
    }
    audio[place] = track
    let time = lastTime(of: .audio)
    return [try OutgoingTag(metadata(), time: time)] + (try configuration(of: track, at: time))
  }
}
