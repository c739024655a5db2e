// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusFFmpeg
internal import ApusSamples
internal import HEVC

extension CodedStream {
  /// Returns the description of a track for libavcodec; `nil` for codecs without a known name.
  init?(_ track: CodedTrack) {
    guard let codec = track.codecName else { return nil }
    let configuration: [UInt8]
    switch track.format {
    case .hevc(let record):
      do {
        configuration = try record.bytes()
      } catch {
        return nil
      }
    case .avc(let bytes), .aac(let bytes), .other(_, let bytes): configuration = bytes
    }
    self.init(codec, configuration: configuration, timescale: track.timescale)
    (width, height) = (track.width, track.height)
    (sampleRate, channels) = (track.sampleRate, track.channels)
  }
}
