// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusFiles
import ApusMedia
public import CApus
import Glibc

/// Opens a photo in memory; the bytes are copied.
@c @implementation
public func apus_photo_open_memory(
  _ bytes: UnsafeRawPointer?, _ count: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe made(error) {
    guard unsafe count == 0 || bytes != nil else { throw MediaError.missing("bytes") }
    return unsafe OpenPhoto(
      MemorySource([UInt8](UnsafeRawBufferPointer(start: bytes, count: count))))
  }
}

/// Opens the photo in a file.
@c @implementation
public func apus_photo_open_file(
  _ path: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe made(error) {
    guard let path = unsafe path else { throw MediaError.missing("path") }
    let name = unsafe UnsafeRawBufferPointer(start: path, count: strlen(path))
    return OpenPhoto(try openInput(unsafe FileName.text(of: name)))
  }
}

/// Opens a photo that a function of the caller reads.
@c @implementation
public func apus_photo_open_reader(
  _ reader: UnsafePointer<apus_reader>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe made(error) {
    guard let reader = unsafe reader else { throw MediaError.missing("reader") }
    guard unsafe reader.pointee.size >= MemoryLayout<apus_reader>.size else {
      throw MediaError(.misuse, "reader has another size")
    }
    return OpenPhoto(try unsafe ReaderSource(reader.pointee))
  }
}

/// Frees a photo; the release function of its reader may be called a little later, by a worker.
@c @implementation
public func apus_photo_free(_ photo: OpaquePointer?) {
  unsafe Handle.free(photo, as: OpenPhoto.self)
}

/// A file that the caller reads.
///
/// It may cross threads because the caller guarantees that for its function.
@safe final class ReaderSource: ByteSource, @unchecked Sendable {
  let count: Int
  var resident: [UInt8]? { nil }
  private let reader: apus_reader
  private let read:
    @convention(c) (
      UnsafeMutableRawPointer?, UInt64, UnsafeMutableRawPointer?, Int
    ) -> Int32

  init(_ reader: apus_reader) throws(MediaError) {
    unsafe self.reader = reader
    guard let read = unsafe reader.read, let count = unsafe Int(exactly: reader.count) else {
      unsafe reader.release?(reader.context)
      throw MediaError(.misuse, "reader has no function read, or a count that no file has")
    }
    unsafe self.read = read
    self.count = count
  }

  deinit { unsafe reader.release?(reader.context) }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    guard !range.isEmpty else { return }
    let status = unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
      let free = unsafe buffer.baseAddress.map { unsafe $0 + initialized }
      let status = unsafe read(reader.context, UInt64(range.lowerBound), free, range.count)
      if status == 0 { initialized += range.count }
      return status
    }
    guard status == 0 else {
      throw SyntaxError(
        .io, field: "", offset: range.lowerBound,
        detail: "the reader of the caller failed with \(status)")
    }
  }
}
