// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

extension VideoFrame {
  /// Calls `body` with the planes for reading. Throws for pixel formats that `format` does not know.
  public func withView<Result, Failure: Error>(
    _ body: (PictureView) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let view: PictureView
    do throws(MediaError) {
      unsafe view = try unsafe library.view(of: frame)
    } catch {
      return nil
    }
    return try unsafe body(view)
  }
}

extension VideoFrame {
  /// Calls `body` with the planes for writing, copied first if they are shared. Returns `nil` for pixel formats that
  /// `format` does not know.
  public func withMutableView<Result>(
    _ body: (MutablePictureView) throws(MediaError) -> Result
  ) throws(MediaError) -> Result? {
    let code = unsafe library.call.av_frame_make_writable(frame)
    guard code >= 0 else { throw MediaError(.memory, "a picture: \(library.text(code))") }
    let view: PictureView
    do throws(MediaError) {
      unsafe view = try unsafe library.view(of: frame)
    } catch {
      return nil
    }
    let planes = unsafe view.planes.map {
      unsafe MutablePictureView.Plane(
        base: UnsafeMutableRawPointer(mutating: $0.base), stride: $0.stride)
    }
    return try unsafe body(MutablePictureView(format: view.format, planes: planes))
  }

  /// Calls `body` with the rows of a plane for writing, each as many bytes as its samples take, from top to bottom.
  /// Does nothing for pixel formats that `format` does not know.
  public func withMutableRows(
    ofPlane plane: Int,
    _ body: (_ row: Int, inout MutableRawSpan) throws(MediaError) -> Void
  ) throws(MediaError) {
    _ = try unsafe withMutableView { view throws(MediaError) in
      guard unsafe view.planes.indices.contains(plane) else { return }
      let format = unsafe view.format
      let count = format.width(ofPlane: plane) * format.bytesPerSample
      for row in 0..<format.height(ofPlane: plane) {
        let start = unsafe view.planes[plane].base + row * view.planes[plane].stride
        var span = unsafe MutableRawSpan(_unsafeStart: start, byteCount: count)
        try body(row, &span)
      }
    }
  }
}
