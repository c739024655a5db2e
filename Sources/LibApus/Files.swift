// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusCommand
import ApusMedia
import ApusStills
public import CApus

/// Creates an engine with at most 1,024 workers; 0 means one for each usable processor.
@c @implementation
public func apus_engine_new(_ workers: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?)
  -> OpaquePointer?
{
  unsafe made(error) {
    guard workers <= 1024 else { throw MediaError(.misuse, "an engine has at most 1024 workers") }
    return PhotoEngine(
      ConvertOptions(), workers: workers == 0 ? nil : Int(workers))
  }
}

/// Frees the decoders and encoders that the engine keeps for the next call.
@c @implementation
public func apus_engine_release_memory(_ engine: OpaquePointer?) {
  unsafe Handle.object(engine, as: PhotoEngine.self)?.releaseMemory()
}

/// Frees an engine.
@c @implementation
public func apus_engine_free(_ engine: OpaquePointer?) {
  unsafe Handle.free(engine, as: PhotoEngine.self)
}

/// Converts the picture to the bytes of a file, a JPEG unless the options name another format.
@c @implementation
public func apus_convert(
  _ engine: OpaquePointer?, _ photo: OpaquePointer?, _ call: UnsafePointer<apus_call>?,
  _ file: UnsafeMutablePointer<OpaquePointer?>?, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe file?.pointee = nil
  unsafe report?.pointee = nil
  return unsafe status(error) {
    let engine = try unsafe needed(engine, as: PhotoEngine.self, "engine")
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    let call = try unsafe Call(call)
    if let edited = try call.edited(photo.source, by: engine) {
      guard let file = unsafe file else { throw MediaError.missing("file") }
      unsafe file.pointee = Handle.make(CBytes(edited.file))
      unsafe report?.pointee = Handle.make(CBytes(edited.report))
      return
    }
    try unsafe write(photo.source, call.photoOptions(), call, engine, file, report)
  }
}

/// Encodes samples as a file, with the options of `convert`.
@c @implementation
public func apus_encode(
  _ engine: OpaquePointer?, _ samples: UnsafeRawPointer?, _ layout: UnsafePointer<apus_layout>?,
  _ metadata: UnsafePointer<apus_metadata>?, _ call: UnsafePointer<apus_call>?,
  _ file: UnsafeMutablePointer<OpaquePointer?>?, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe file?.pointee = nil
  unsafe report?.pointee = nil
  return unsafe status(error) {
    let engine = try unsafe needed(engine, as: PhotoEngine.self, "engine")
    guard let samples = unsafe samples else { throw MediaError.missing("samples") }
    guard let layout = unsafe layout else { throw MediaError.missing("layout") }
    let picture = try unsafe CallerPicture(samples, layout.pointee, metadata?.pointee)
    let call = try unsafe Call(call)
    try unsafe write(
      MemorySource(picture.png()), call.photoOptions(), call, engine, file, report)
  }
}

private func write(
  _ source: any ByteSource, _ options: ConvertOptions, _ call: Call, _ engine: PhotoEngine,
  _ file: BytesPlace?, _ report: BytesPlace?
) throws {
  guard let file = unsafe file else { throw MediaError.missing("file") }
  guard options.job.makesOnePicture else {
    throw MediaError(.misuse, "a call writes one picture; apus_make_files makes several files")
  }
  let destination = MemoryDestination()
  let done = try call.run(source, options, on: engine, into: destination)
  unsafe file.pointee = Handle.make(CBytes(destination.bytes))
  unsafe report?.pointee = Handle.make(CBytes(LibraryCall.json(of: done)))
}
