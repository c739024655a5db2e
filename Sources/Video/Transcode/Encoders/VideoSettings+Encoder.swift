// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Media

extension VideoSettings {
  /// The bits a sample that encoders of the first codec know.
  var depths: [Int] { codecs.first == .h264 ? X264Coding.depths : X265Coding.depths }

  /// An encoder of the first codec that this machine has one of.
  func encoder(_ request: CodingRequest) throws(CoderError) -> any PictureCoding {
    var refusals: [String] = []
    for codec in codecs where codec != .copy {
      do throws(CoderError) {
        guard codec == .h264 else { return try X265Coding(request) }
        try checkForX264()
        return try X264Coding(request)
      } catch {
        // What is not there may be there in another codec; what is wrong is wrong.
        guard error.kind == .missing else { throw error }
        refusals.append(error.message)
      }
    }
    throw CoderError(.missing, refusals.joined(separator: "; "))
  }

  private func checkForX264() throws(CoderError) {
    do throws(CoderError) {
      _ = try VideoEncoder.pixelFormats(of: "libx264")
    } catch {
      throw CoderError(.missing, error.message)
    }
  }
}
