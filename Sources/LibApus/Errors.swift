// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusCommand
import CApus

@c @implementation
public func apus_version() -> UnsafePointer<CChar>? { unsafe version.text }

/// The text of the version, which is never freed.
private nonisolated(unsafe) let version = CBytes(Array(LibraryCall.version.utf8))

@c @implementation
public func apus_error_kind(_ error: OpaquePointer?) -> Int32 {
  unsafe Handle.object(error, as: CError.self)?.kind ?? Int32(APUS_OK)
}

@c @implementation
public func apus_error_name(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.name.text
}

@c @implementation
public func apus_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.message.text
}

@c @implementation
public func apus_error_place(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe Handle.object(error, as: CError.self)?.place.text
}

@c @implementation
public func apus_error_offset(_ error: OpaquePointer?) -> Int64 {
  unsafe Handle.object(error, as: CError.self)?.offset ?? -1
}

@c @implementation
public func apus_error_free(_ error: OpaquePointer?) {
  unsafe Handle.free(error, as: CError.self)
}

@c @implementation
public func apus_bytes_data(_ bytes: OpaquePointer?) -> UnsafePointer<UInt8>? {
  unsafe Handle.object(bytes, as: CBytes.self).map { unsafe UnsafePointer($0.start) }
}

@c @implementation
public func apus_bytes_count(_ bytes: OpaquePointer?) -> Int {
  unsafe Handle.object(bytes, as: CBytes.self)?.count ?? 0
}

@c @implementation
public func apus_bytes_free(_ bytes: OpaquePointer?) {
  unsafe Handle.free(bytes, as: CBytes.self)
}
