// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

extension VideoSettings {
  /// Returns the encoder to be used, for the first of the codecs for which this machine has one.
  func coder() throws(MediaError) -> CodecFacts {
    var query = CodecQuery()
    query.codecs = codecs.filter { $0 != .copy }.map(\.rawValue)
    query.ids = ["libx265", "libx264"]
    // It will be opened soon with its actual settings: an error in those is no reason to use another encoder.
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
