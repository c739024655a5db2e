// SPDX-License-Identifier: MIT

internal import Bytes
internal import FFmpeg
internal import Flow
internal import Media

extension VideoLine {
  /// What all pictures have that go to an encoder.
  struct Shape: Hashable {
    var width: Int
    var height: Int
    var pixelFormat: String
    var timescale: UInt32

    init(_ frame: VideoFrame) {
      (width, height) = (frame.width, frame.height)
      pixelFormat = frame.pixelFormat
      timescale = frame.time.timescale
    }
  }

  static func decoder(of track: CodedTrack, _ options: LineOptions) throws
    -> VideoDecoder
  {
    guard let stream = CodedStream(track) else {
      throw MediaError(.unsupported, of: .part(track.name), "is coded in a way not known here")
    }
    var decoding = DecoderOptions()
    decoding.isSalvaging = options.settings.isSalvaging
    do throws(MediaError) {
      return try VideoDecoder(stream, traits: track.picture, options: decoding)
    } catch {
      throw error.inside(track: track.name)
    }
  }
}
