// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusCommand
import CApus

/// Returns the version of the library, such as `1.0.0`. The text belongs to the library.
@c @implementation
public func apus_version() -> UnsafePointer<CChar>? { unsafe version.text }

/// The text of the version, which is never freed.
private nonisolated(unsafe) let version = CBytes(Array(LibraryCall.version.utf8))

/// Returns the kind of an error; `APUS_OK` for `NULL`.
@c @implementation
public func apus_error_kind(_ error: OpaquePointer?) -> Int32 {
  unsafe Handle.object(error, as: CError.self)?.kind ?? Int32(APUS_OK)
}

/// Returns the name of an error's kind, such as `truncated`. The text belongs to the error.
@c @implementation
public func apus_error_name(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.name.text
}

/// Returns the problem with its location. The text belongs to the error.
@c @implementation
public func apus_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.message.text
}

/// Returns the location, such as `meta/iprp at byte 33`; empty if unknown. The text belongs to the error.
@c @implementation
public func apus_error_place(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.place.text
}

/// Returns the offset in the input at which the error occurred; -1 if unknown.
@c @implementation
public func apus_error_offset(_ error: OpaquePointer?) -> Int64 {
  unsafe Handle.object(error, as: CError.self)?.offset ?? -1
}

/// Frees an error, and the texts that belong to it.
@c @implementation
public func apus_error_free(_ error: OpaquePointer?) {
  unsafe Handle.free(error, as: CError.self)
}

/// Returns the first byte; a 0 follows the last one.
@c @implementation
public func apus_bytes_data(_ bytes: OpaquePointer?) -> UnsafePointer<UInt8>? {
  unsafe Handle.object(bytes, as: CBytes.self).map { unsafe UnsafePointer($0.start) }
}

/// Returns the number of bytes, without the 0 that follows them.
@c @implementation
public func apus_bytes_count(_ bytes: OpaquePointer?) -> Int {
  unsafe Handle.object(bytes, as: CBytes.self)?.count ?? 0
}

/// Frees bytes that the library returned.
@c @implementation
public func apus_bytes_free(_ bytes: OpaquePointer?) {
  unsafe Handle.free(bytes, as: CBytes.self)
}
