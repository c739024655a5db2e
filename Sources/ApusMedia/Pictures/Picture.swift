// SPDX-License-Identifier: MIT

/// The planes of a picture in memory. The owner decides who writes to it and when; there are no locks.
///
/// Rows are padded, because rows at distances of a power of two would share cache lines.
@safe public final class Picture: @unchecked Sendable {
  /// The format of the planes.
  public let format: PictureFormat
  /// The distance from one row to the next in each plane, in bytes.
  public let strides: [Int]
  private let memory: UnsafeMutableRawPointer
  private let offsets: [Int]

  private static let padding = 128

  /// Allocates the planes, with uninitialized samples. The sides must be positive.
  public init(_ format: PictureFormat) {
    self.format = format
    let planes = 0..<format.planeCount
    strides = planes.map {
      (format.width(ofPlane: $0) * format.bytesPerSample + 63) & ~63 + Self.padding
    }
    var offsets: [Int] = []
    var size = 0
    for plane in planes {
      offsets.append(size)
      size += strides[plane] * format.height(ofPlane: plane)
    }
    self.offsets = offsets
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 64)
  }

  deinit { unsafe memory.deallocate() }

  /// Returns a pointer to the first sample of a plane.
  @unsafe public func plane(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe memory + offsets[index]
  }

  /// A view of the planes, valid as long as this object lives.
  @unsafe public var view: PictureView {
    let planes = unsafe strides.indices.map {
      unsafe PictureView.Plane(base: plane($0), stride: strides[$0])
    }
    return unsafe PictureView(format: format, planes: planes)
  }
}
