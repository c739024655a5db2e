// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Media

extension VideoSettings {
  /// The encoder that is used, of the first codec that this machine has one of.
  func coder() throws(MediaError) -> CodecFacts {
    var query = CodecQuery()
    query.codecs = codecs.filter { $0 != .copy }.map(\.rawValue)
    query.ids = ["libx265", "libx264"]
    // It opens soon enough, with its own settings: what is wrong with those is no reason to take another.
    query.isTried = false
    return try CodecCatalogue(query).first()
  }

  func encoder(_ request: CodingRequest) throws(MediaError) -> any PictureCoding {
    switch try coder().codec {
    case "h264": try X264Coding(request)
    default: try X265Coding(request)
    }
  }
}
