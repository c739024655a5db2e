// SPDX-License-Identifier: MIT

public import Bytes
internal import HEVC

extension Packetizer {
  /// The end of what a track was and the configuration of what it is from here on, for changes that no frame
  /// carries: the frames that follow are coded for the new format.
  ///
  /// - Parameter track: has the id of the one that it takes the place of.
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

  /// The same of a sound track, which has no end of its own.
  public mutating func change(to track: AudioTrack) throws(SyntaxError) -> [OutgoingTag] {
    guard let place = audio.firstIndex(where: { $0.id == track.id }) else {
      throw Self.refusal("track", "\(track.id) was not announced")
    }
    audio[place] = track
    let time = lastTime(of: .audio)
    return [try OutgoingTag(metadata(), time: time)] + (try configuration(of: track, at: time))
  }
}
