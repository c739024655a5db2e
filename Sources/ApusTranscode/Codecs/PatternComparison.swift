// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import Glibc

/// A comparison of decoded pictures with the pattern.
struct PatternComparison {
  private(set) var count = 0
  /// The format of the last picture; `nil` for one that has no planes of Y, Cb and Cr.
  private(set) var format: PictureFormat?
  private(set) var pixelFormat = ""
  /// The chroma format of the pictures, or the one declared by their stream.
  var chroma: Chroma?
  private var squares = 0.0
  private var samples = 0

  /// The filter that converts pictures of other forms to grey, so that their brightness can be compared.
  private var filter: VideoFilter?

  mutating func add(_ frame: VideoFrame) {
    let name = frame.pixelFormat
    if frame.format?.pixelFormatName == name {
      _ = unsafe frame.withView { view in unsafe add(view, Int(frame.time.value)) }
      return
    }
    let before = count
    do throws(MediaError) {
      let filter: VideoFilter
      if let known = self.filter {
        filter = known
      } else {
        filter = try VideoFilter("", pixelFormats: ["gray"], threads: 1)
        self.filter = filter
      }
      try filter.push(frame)
      while let grey = try filter.next() {
        _ = unsafe grey.withView { view in unsafe add(view, Int(frame.time.value)) }
      }
    } catch {
      format = nil
    }
    // Not planes of Y, Cb and Cr.
    (chroma, isConverted) = (nil, true)
    (count, pixelFormat) = (before + 1, name)
  }

  /// Whether pictures came in a form other than planes of Y, Cb and Cr, so that `format` describes the converted
  /// pictures.
  private(set) var isConverted = false

  /// - Parameter index: the index of the picture that it should be.
  @unsafe mutating func add(_ view: PictureView, _ index: Int) {
    count += 1
    let format = unsafe view.format
    self.format = format
    chroma = format.chroma
    pixelFormat = format.pixelFormatName ?? pixelFormat
    let plane = unsafe view.planes[0]
    for row in 0..<format.height {
      for column in 0..<format.width {
        let place = unsafe plane.base + row * plane.stride + column * format.bytesPerSample
        let found =
          format.bytesPerSample == 1
          ? unsafe Int(place.load(as: UInt8.self)) : unsafe Int(place.load(as: UInt16.self))
        let wanted = Pattern.sample(column, row, plane: 0, picture: index, bits: format.bitDepth)
        squares += Double((found - wanted) * (found - wanted))
      }
    }
    samples += format.width * format.height
  }

  /// The peak signal-to-noise ratio of luma in dB, 100 where there is no difference; `nil` before the first picture.
  var similarity: Double? {
    guard samples > 0, let format else { return nil }
    guard squares > 0 else { return 100 }
    let peak = Double(1 << format.bitDepth - 1)
    return min(100, 10 * log10(peak * peak * Double(samples) / squares))
  }
}
