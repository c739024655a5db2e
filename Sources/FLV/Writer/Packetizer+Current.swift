// SPDX-License-Identifier: MIT

extension Packetizer {
  /// The video tracks with their current configurations, including parameter sets that came with frames: the state with
  /// which another packetizer continues.
  public var currentVideo: [VideoTrack] {
    video.map { track in
      guard let tracker = trackers[track.id] else { return track }
      return VideoTrack(.hevc(tracker.record), id: track.id)
    }
  }
}
