// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusCommand
import ApusMedia
import ApusStills
public import CApus
import Synchronization

/// Makes all files of a job, such as one picture in several sizes or the parts of a photo; returns all or none.
@c @implementation
public func apus_make_files(
  _ engine: OpaquePointer?, _ photo: OpaquePointer?, _ call: UnsafePointer<apus_call>?,
  _ sides: UnsafePointer<UInt32>?, _ count: Int, _ files: UnsafeMutablePointer<OpaquePointer?>?,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe files?.pointee = nil
  unsafe report?.pointee = nil
  return unsafe status(error) {
    let engine = try unsafe needed(engine, as: PhotoEngine.self, "engine")
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    guard let files = unsafe files else { throw MediaError.missing("files") }
    guard unsafe count == 0 || sides != nil else { throw MediaError.missing("sides") }
    let sides = unsafe [UInt32](UnsafeBufferPointer(start: sides, count: count)).map(Int.init)
    let (made, done) = try unsafe Call(call).files(of: photo.source, sides, on: engine)
    unsafe files.pointee = Handle.make(made)
    unsafe report?.pointee = Handle.make(CBytes(LibraryCall.json(of: done)))
  }
}

/// Returns the number of files.
@c @implementation
public func apus_files_count(_ files: OpaquePointer?) -> Int {
  unsafe Handle.object(files, as: CFiles.self)?.files.count ?? 0
}

/// Returns the name that distinguishes a file from the others; empty for the picture itself, `NULL` after the last
/// file.
@c @implementation
public func apus_files_name(_ files: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  unsafe Handle.object(files, as: CFiles.self)?.file(index)?.name.text
}

/// Returns the file name extension of a file, such as `jpg`; `NULL` after the last file.
@c @implementation
public func apus_files_extension(_ files: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
  unsafe Handle.object(files, as: CFiles.self)?.file(index)?.ending.text
}

/// Returns the first byte of a file, and stores the number of its bytes in `count`; `NULL` after the last file.
@c @implementation
public func apus_files_data(
  _ files: OpaquePointer?, _ index: Int, _ count: UnsafeMutablePointer<Int>?
) -> UnsafePointer<UInt8>? {
  let file = unsafe Handle.object(files, as: CFiles.self)?.file(index)
  unsafe count?.pointee = file?.bytes.count ?? 0
  return unsafe file.map { unsafe UnsafePointer($0.bytes.start) }
}

/// Frees all files, and the texts and bytes that belong to them.
@c @implementation
public func apus_files_free(_ files: OpaquePointer?) {
  unsafe Handle.free(files, as: CFiles.self)
}

/// The files made from one photo, which are read from C.
final class CFiles {
  /// A file with its role.
  struct File {
    let name: CBytes
    let ending: CBytes
    let bytes: CBytes
  }

  let files: [File]

  init(_ files: [File]) { self.files = files }

  func file(_ index: Int) -> File? { files.indices.contains(index) ? files[index] : nil }
}

/// Keeps the files written for a photo, by their roles.
private final class GatheredFiles: Sendable {
  private let destinations = Mutex<[PictureRole: MemoryDestination]>([:])

  func output(_ role: PictureRole) -> MemoryDestination {
    let destination = MemoryDestination(name: role.name)
    destinations.withLock { $0[role] = destination }
    return destination
  }

  /// Removes and returns the bytes of a complete file.
  func remove(_ role: PictureRole) throws(MediaError) -> [UInt8] {
    guard let whole = destinations.withLock({ $0.removeValue(forKey: role) }) else {
      throw MediaError(.incomplete, "the output \(role.name) was not written")
    }
    return whole.bytes
  }
}

extension Call {
  /// - Parameter sides: the sizes to be made of the picture; empty for one, or for those in the options.
  fileprivate func files(
    of source: any ByteSource, _ sides: [Int], on engine: PhotoEngine
  ) throws -> (CFiles, PhotoReport) {
    let options = try photoOptions()
    if !sides.isEmpty {
      guard options.job == .primary, options.bounds == nil else {
        throw MediaError(.misuse, "sides are for one picture that has no other size")
      }
      guard sides.allSatisfy({ $0 > 0 }), Set(sides).count == sides.count else {
        throw MediaError(.misuse, "sides are above 0, and none comes twice")
      }
    }
    let gathered = GatheredFiles()
    var request = PhotoRequest(
      name: "photo", open: { source }, output: { role in gathered.output(role) })
    request.longestSides = sides
    request.depthDocument = { LibraryCall.document(of: $0) }
    let report = try run(request, options, on: engine)
    var files: [CFiles.File] = []
    for output in report.outputs {
      let ending = output.role.pathExtension ?? options.format.pathExtension
      files.append(
        CFiles.File(
          name: CBytes(Array(output.role.name.utf8)), ending: CBytes(Array(ending.utf8)),
          bytes: CBytes(try gathered.remove(output.role))))
    }
    return (CFiles(files), report)
  }
}
