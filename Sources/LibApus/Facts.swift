// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusCommand
import ApusMedia
import ApusStills
import CApus
import HEIF

/// Returns the Exif of the picture, from the header of TIFF on; `NULL` without an error if there is none.
@c @implementation
public func apus_photo_exif(_ photo: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?)
  -> OpaquePointer?
{
  unsafe made(error) { try unsafe preview(photo).metadata.exif.map(CBytes.init) }
}

/// Returns the XMP of the picture; `NULL` without an error if there is none.
@c @implementation
public func apus_photo_xmp(_ photo: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?)
  -> OpaquePointer?
{
  unsafe made(error) { try unsafe preview(photo).metadata.xmp.map(CBytes.init) }
}

/// Returns the ICC profile that a PNG of the picture would have; `NULL` without an error if there is none.
@c @implementation
public func apus_photo_icc(_ photo: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?)
  -> OpaquePointer?
{
  unsafe made(error) { try unsafe preview(photo).profile.map(CBytes.init) }
}

private func preview(_ photo: OpaquePointer?) throws -> PhotoPreview.PlannedPicture {
  try unsafe Call.metadata(of: needed(photo, as: OpenPhoto.self, "photo"))
}

/// Returns the JSON that a verb of the command prints about the file, with the exit status and messages of the command.
@c @implementation
public func apus_photo_facts(
  _ photo: OpaquePointer?, _ verb: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ status: UnsafeMutablePointer<Int32>?, _ messages: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe messages?.pointee = nil
  return unsafe made(error) {
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    guard let verb = unsafe verb else { throw MediaError.missing("verb") }
    let call = try unsafe LibraryCall(String(cString: verb), options: Call.options(options))
    let answer = try call.answer(about: photo.source, name: "photo")
    unsafe status?.pointee = answer.status
    let text = answer.messages.joined(separator: "\n")
    unsafe messages?.pointee = Handle.make(CBytes(Array(text.utf8)))
    return CBytes(answer.results)
  }
}
