// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import ApusBytes
import ApusCommand
import ApusMedia
import ApusStills
public import CApus

/// Stores the layout that the samples have when the picture is decoded; nothing is decoded.
@c @implementation
public func apus_photo_layout(
  _ photo: OpaquePointer?, _ pixels: apus_pixels, _ call: UnsafePointer<apus_call>?,
  _ layout: UnsafeMutablePointer<apus_layout>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe status(error) {
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    guard let place = unsafe layout else { throw MediaError.missing("layout") }
    let found = try unsafe Call(call).preview(of: photo)
    guard let samples = found.samples else {
      throw MediaError(.nothing, "there is no picture to decode")
    }
    try unsafe place.pointee.set(SampleForm(pixels).layout(of: samples))
  }
}

/// Decodes the picture into memory that `allocate` provides for all its rows.
@c @implementation
public func apus_decode(
  _ engine: OpaquePointer?, _ photo: OpaquePointer?, _ pixels: apus_pixels,
  _ call: UnsafePointer<apus_call>?, _ allocate: apus_allocate?,
  _ context: UnsafeMutableRawPointer?, _ layout: UnsafeMutablePointer<apus_layout>?,
  _ report: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe report?.pointee = nil
  return unsafe status(error) {
    let engine = try unsafe needed(engine, as: PhotoEngine.self, "engine")
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    guard let allocate = unsafe allocate else { throw MediaError.missing("allocate") }
    let memory = unsafe CallerMemory(allocate, context)
    try unsafe decode(
      photo, FormedRows(SampleForm(pixels), into: memory), Call(call), engine, layout, report)
  }
}

/// Decodes the picture and passes its rows to the caller from the top, as they are decoded.
@c @implementation
public func apus_decode_rows(
  _ engine: OpaquePointer?, _ photo: OpaquePointer?, _ pixels: apus_pixels,
  _ call: UnsafePointer<apus_call>?, _ rows: UnsafePointer<apus_rows>?,
  _ layout: UnsafeMutablePointer<apus_layout>?, _ report: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  unsafe report?.pointee = nil
  return unsafe status(error) {
    let engine = try unsafe needed(engine, as: PhotoEngine.self, "engine")
    let photo = try unsafe needed(photo, as: OpenPhoto.self, "photo")
    guard let rows = unsafe rows else { throw MediaError.missing("rows") }
    let taker = try unsafe CallerFunctions(rows.pointee)
    try unsafe decode(
      photo, FormedRows(SampleForm(pixels), into: taker), Call(call), engine, layout, report)
  }
}

private func decode(
  _ photo: OpenPhoto, _ rows: FormedRows, _ call: Call, _ engine: PhotoEngine,
  _ layout: UnsafeMutablePointer<apus_layout>?, _ report: BytesPlace?
) throws {
  let done = try call.run(
    photo.source, call.sampleOptions(), on: engine, into: SampleDestination(rows))
  try rows.finish()
  if let place = unsafe layout { try unsafe place.pointee.set(rows.layout) }
  unsafe report?.pointee = Handle.make(CBytes(LibraryCall.json(of: done)))
}

extension Call {
  /// Returns the options of `convert` for a picture of which only the samples are wanted.
  func sampleOptions() throws(MediaError) -> ConvertOptions {
    var options = try photoOptions()
    guard options.job.parts == nil else {
      throw MediaError(
        .misuse, "samples are those of a picture; apus_make_files takes out its parts")
    }
    guard options.format == .jpeg || options.format == .png else {
      throw MediaError(.misuse, "samples have no format")
    }
    options.format = .png
    return options
  }

  /// Returns the picture that is decoded with these options.
  func preview(of photo: OpenPhoto) throws(MediaError) -> PhotoPreview.PlannedPicture {
    guard isUsual else { return try Self.preview(of: photo, sampleOptions()) }
    return try photo.usualPicture { () throws(MediaError) in
      try Self.preview(of: photo, sampleOptions())
    }
  }

  /// Returns a picture as far as it can be read, for the metadata of the file: damage to samples does not matter.
  static func metadata(of photo: OpenPhoto) throws(MediaError) -> PhotoPreview.PlannedPicture {
    let call = try unsafe Call(nil)
    do throws(MediaError) {
      return try call.preview(of: photo)
    } catch {
      var options = try call.sampleOptions()
      options.salvages = true
      return try preview(of: photo, options)
    }
  }

  private static func preview(
    of photo: OpenPhoto, _ options: ConvertOptions
  ) throws(MediaError) -> PhotoPreview.PlannedPicture {
    guard options.job.thumbnail == nil else {
      throw MediaError(.misuse, "which small picture a photo holds is known when it is decoded")
    }
    let preview: PhotoPreview
    do throws(PhotoPreview.Failed) {
      preview = try PhotoPreview(photo.source, options: options)
    } catch {
      throw error.failure
    }
    guard let picture = preview.pictures.first else {
      throw MediaError(.nothing, "there is no picture")
    }
    return picture
  }
}

extension apus_layout {
  /// Throws if the caller was compiled with a different structure.
  mutating func set(_ layout: SampleLayout) throws(MediaError) {
    guard size >= MemoryLayout<apus_layout>.size else {
      throw MediaError(.misuse, "layout has another size")
    }
    width = UInt32(layout.width)
    height = UInt32(layout.height)
    channels = UInt32(layout.channels.rawValue)
    bits = UInt32(layout.bitsPerChannel)
    stride = layout.bytesPerRow
  }
}

/// The form of samples that a caller requests.
struct SampleForm: Sendable {
  /// The channels; `nil` for those that a PNG would hold.
  private var channels: SampleLayout.Channels?
  private var bits = 8

  init(_ pixels: apus_pixels) throws(MediaError) {
    guard pixels != APUS_NATIVE else { return }
    let code = Int(pixels.rawValue) - Int(APUS_GRAY8.rawValue)
    guard (0..<8).contains(code), let channels = SampleLayout.Channels(rawValue: code % 4 + 1)
    else { throw MediaError(.misuse, "pixels is \(pixels.rawValue), which is none that is known") }
    self.channels = channels
    bits = code < 4 ? 8 : 16
  }

  /// Returns the layout for the form. Throws if colour would have to become gray.
  func layout(of source: SampleLayout) throws(MediaError) -> SampleLayout {
    guard let channels else { return source }
    guard source.channels.isGray || !channels.isGray else {
      throw MediaError(.unsupported, "the picture has colour, and gray was asked for")
    }
    var layout = source
    layout.channels = channels
    layout.bitsPerChannel = bits
    return layout
  }
}
