// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

/// The pattern in any form to which libavfilter can convert it.
struct TrialPictures {
  private let format: PictureFormat
  /// The converter; `nil` where the pattern is made in that form directly.
  private let filter: VideoFilter?
  /// The similarity of the converted pictures to the pattern; for forms with few colours, or only black and white, it
  /// is limited.
  private(set) var likeness = PatternComparison()

  /// - Parameters:
  ///   - format: a format of planes of Y, Cb and Cr; for others only the size matters.
  ///   - name: the library's name of the form.
  init(_ format: PictureFormat, _ samples: CodecFacts.Samples) throws(MediaError) {
    guard !samples.isPlanes else {
      self.format = format
      filter = nil
      return
    }
    self.format = PictureFormat(
      width: format.width, height: format.height, chroma: .monochrome, bitDepth: 8)
    filter = try VideoFilter("", pixelFormats: [samples.name], threads: 1)
  }

  mutating func frame(_ index: Int) throws(MediaError) -> VideoFrame {
    let frame = try Pattern.frame(index, format)
    guard let filter else { return frame }
    try filter.push(frame)
    guard let made = try filter.next() else {
      throw MediaError(.unsupported, "libavfilter makes no such pictures")
    }
    likeness.add(made)
    return made
  }
}

extension CodecFacts.Samples {
  /// Whether they are planes of Y, Cb and Cr in this machine's byte order.
  var isPlanes: Bool {
    guard let chroma else { return false }
    let format = PictureFormat(width: 16, height: 16, chroma: chroma, bitDepth: bitDepth)
    // A name that says something else is tested all the same, because it is a claim too.
    return name.hasPrefix("yuv4") && !name.hasSuffix("be") || name == format.pixelFormatName
  }
}
