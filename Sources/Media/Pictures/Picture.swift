// SPDX-License-Identifier: MIT

/// Planes in memory of their own. Its holder decides who writes to it and when; nothing in here locks.
///
/// Rows begin a padding after the last one ends, because rows a power of two apart would share cache lines.
@safe public final class Picture: @unchecked Sendable {
  public let format: PictureFormat
  /// The distance from one row to the next, in bytes, for each plane.
  public let strides: [Int]
  private let memory: UnsafeMutableRawPointer
  private let offsets: [Int]

  private static let padding = 128

  /// The samples are not set. The sides must be positive.
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

  /// The first sample of a plane.
  @unsafe public func plane(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe memory + offsets[index]
  }

  /// The planes to look at, as long as this object lives.
  @unsafe public var view: PictureView {
    let planes = unsafe strides.indices.map {
      unsafe PictureView.Plane(base: plane($0), stride: strides[$0])
    }
    return unsafe PictureView(format: format, planes: planes)
  }
}
