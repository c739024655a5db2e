// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills
import CApus
import Synchronization

/// The handles of callers in C: pointers to Swift objects, each with its own reference.
enum Handle {
  static func make(_ object: AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  static func object<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) -> Object?
  {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  static func free<Object: AnyObject>(_ pointer: OpaquePointer?, as type: Object.Type) {
    guard let pointer = unsafe pointer else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

/// Bytes that are read from C, followed by a 0.
@safe final class CBytes {
  let start: UnsafeMutablePointer<UInt8>
  let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    unsafe start = .allocate(capacity: bytes.count + 1)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      if let first = bytes.baseAddress { unsafe start.initialize(from: first, count: bytes.count) }
    }
    unsafe (start + count).initialize(to: 0)
  }

  deinit { unsafe start.deallocate() }

  var text: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
  }
}

/// An open photo.
final class OpenPhoto {
  let source: any ByteSource
  /// The picture that is decoded for calls without options, once it was determined.
  private let usual = Mutex<PhotoPreview.PlannedPicture?>(nil)

  init(_ source: any ByteSource) { self.source = source }

  /// Returns the picture that is decoded for calls without options, which is determined only once.
  func usualPicture(_ find: () throws(MediaError) -> PhotoPreview.PlannedPicture) throws(MediaError)
    -> PhotoPreview.PlannedPicture
  {
    if let found = usual.withLock({ $0 }) { return found }
    let found = try find()
    usual.withLock { $0 = found }
    return found
  }
}

/// An error that is read from C.
final class CError {
  let kind: Int32
  let name: CBytes
  let message: CBytes
  let place: CBytes
  let offset: Int64

  init(_ error: MediaError) {
    kind = error.kind.code
    name = CBytes(Array(error.kind.rawValue.utf8))
    message = CBytes(Array(error.description.utf8))
    place = CBytes(Array((error.place?.description ?? "").utf8))
    offset = error.offset.map { Int64($0) } ?? -1
  }
}

extension MediaError.Kind {
  /// The number of the error in the header.
  var code: Int32 {
    switch self {
    case .truncated: Int32(APUS_TRUNCATED)
    case .invalid: Int32(APUS_INVALID)
    case .corrupt: Int32(APUS_CORRUPT)
    case .incomplete: Int32(APUS_INCOMPLETE)
    case .unsupported: Int32(APUS_UNSUPPORTED)
    case .missing: Int32(APUS_MISSING)
    case .limit: Int32(APUS_LIMIT)
    case .memory: Int32(APUS_MEMORY)
    case .io: Int32(APUS_IO)
    case .misuse: Int32(APUS_MISUSE)
    case .nothing: Int32(APUS_NOTHING)
    case .cancelled: Int32(APUS_CANCELLED)
    case .crash: Int32(APUS_CRASH)
    }
  }
}

typealias ErrorPlace = UnsafeMutablePointer<OpaquePointer?>
typealias BytesPlace = UnsafeMutablePointer<OpaquePointer?>

/// Runs a job, and stores the error if the caller wants it.
///
/// - Returns: the kind of the error, 0 for none.
func status(_ error: ErrorPlace?, _ job: () throws -> Void) -> Int32 {
  unsafe error?.pointee = nil
  do {
    try job()
    return Int32(APUS_OK)
  } catch let failure {
    let failure = MediaError(failure)
    unsafe error?.pointee = Handle.make(CError(failure))
    return failure.kind.code
  }
}

/// Runs a job that creates an object, and stores the error if the caller wants it.
func made<Object: AnyObject>(_ error: ErrorPlace?, _ job: () throws -> Object?) -> OpaquePointer? {
  var made: OpaquePointer?
  _ = unsafe status(error) {
    if let object = try job() { unsafe made = Handle.make(object) }
  }
  return unsafe made
}

extension MediaError {
  static func missing(_ argument: String) -> MediaError {
    MediaError(.misuse, "\(argument) is NULL")
  }
}

/// Returns the object behind a pointer that must not be `NULL`.
func needed<Object: AnyObject>(
  _ pointer: OpaquePointer?, as type: Object.Type, _ name: String
) throws(MediaError) -> Object {
  guard let object = unsafe Handle.object(pointer, as: type) else { throw .missing(name) }
  return object
}
