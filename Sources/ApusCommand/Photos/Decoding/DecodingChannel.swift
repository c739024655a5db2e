// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import Glibc

/// One end of the connection between the command, which sends coded pictures, and a decoding process, which returns planes.
struct DecodingChannel {
  let descriptor: Int32

  /// The number of bytes of rows that are received at a time.
  private static let portion = 1 << 18

  /// Waits for a message, and returns `nil` if the connection ends or something else arrives.
  func receive<Message: ProcessMessage>(_ type: Message.Type) -> Message? {
    guard let header = receive(count: MessageSize.bytes) else { return nil }
    let size = MessageSize.size(header)
    guard size <= MessageSize.largest, let body = receive(count: size) else { return nil }
    return try? Message(message: body)
  }

  /// Waits for so many bytes; `nil` where fewer come.
  func receive(count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe fill(UnsafeMutableRawBufferPointer(buffer)) ? count : 0
    }
    return bytes.count == count ? bytes : nil
  }

  /// Returns whether all bytes came.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var place = 0
    while place < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
      let count = unsafe read(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      place += count
    }
    return true
  }

  /// Sends the rows of a picture.
  func send(_ view: PictureView, to writer: DescriptorWriter) throws(FileError) {
    let format = unsafe view.format
    for index in 0..<format.planeCount {
      let plane = unsafe view.planes[index]
      let bytes = format.width(ofPlane: index) * format.bytesPerSample
      for row in 0..<format.height(ofPlane: index) {
        let start = unsafe (plane.base + row * plane.stride).assumingMemoryBound(to: UInt8.self)
        try writer.write(unsafe UnsafeBufferPointer(start: start, count: bytes).span)
      }
    }
  }

  /// Receives the rows of a picture; `nil` where they do not come, or a sample has more bits than the format has: the code
  /// that works with samples relies on that.
  func receivePicture(_ format: PictureFormat) -> Picture? {
    let picture = Picture(format)
    let largest = 1 << format.bitDepth - 1
    for plane in 0..<format.planeCount {
      let bytes = format.width(ofPlane: plane) * format.bytesPerSample
      let height = format.height(ofPlane: plane)
      let most = max(1, Self.portion / bytes)
      var row = 0
      while row < height {
        let rows = min(most, height - row)
        guard let portion = receive(count: rows * bytes) else { return nil }
        var bits: UInt16 = 0
        unsafe portion.withUnsafeBytes { source in
          for index in 0..<rows {
            let target = unsafe picture.plane(plane) + (row + index) * picture.strides[plane]
            unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes).copyMemory(
              from: UnsafeRawBufferPointer(rebasing: source[index * bytes..<(index + 1) * bytes]))
            guard format.bytesPerSample == 2 else { continue }
            let samples = unsafe target.assumingMemoryBound(to: UInt16.self)
            for sample in 0..<bytes / 2 { bits |= unsafe samples[sample] }
          }
        }
        guard bits <= largest else { return nil }
        row += rows
      }
    }
    return picture
  }
}
