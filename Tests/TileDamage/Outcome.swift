// SPDX-License-Identifier: MIT

import ApusMedia

/// What became of a damaged picture.
enum Outcome: String, CaseIterable {
  case refused = "refused"
  case same = "as it was"
  /// A stream that is valid and says something else: libavcodec and libde265 make the same samples of it, and complain
  /// of nothing.
  case agreed = "another, as two others see it"
  case finding = "finding"
}

/// A copy of what a decoder handed over, or why there is none.
struct Decoded: Equatable {
  private(set) var format: PictureFormat?
  private(set) var planes: [[UInt8]] = []
  private(set) var error: MediaError?

  init(_ picture: CodedPicture, by decoder: any PictureDecoder) {
    do throws(MediaError) {
      try unsafe decoder.decode(picture) { view throws(MediaError) in
        unsafe copy(view)
      }
    } catch {
      self.error = error
    }
  }

  private mutating func copy(_ view: PictureView) {
    let format = unsafe view.format
    self.format = format
    for index in unsafe view.planes.indices {
      let plane = unsafe view.planes[index]
      let width = format.width(ofPlane: index) * format.bytesPerSample
      var bytes: [UInt8] = []
      bytes.reserveCapacity(width * format.height(ofPlane: index))
      for row in 0..<format.height(ofPlane: index) {
        unsafe bytes.append(
          contentsOf: UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: width))
      }
      planes.append(bytes)
    }
  }

  /// In how many bytes another picture differs.
  func difference(to other: Decoded) -> String {
    if let error = other.error { return error.message }
    guard format == other.format else { return "another size or form" }
    let count = zip(planes, other.planes).reduce(0) { sum, pair in
      sum + zip(pair.0, pair.1).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
    }
    return count == 0 ? "the same" : "\(count) bytes differ"
  }
}
