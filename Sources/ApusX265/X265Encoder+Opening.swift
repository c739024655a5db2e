// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusX265
internal import Synchronization

extension X265Encoder {
  /// The parts of an encoder.
  @unsafe struct Parts {
    var parameters: UnsafeMutablePointer<x265_param>
    var input: UnsafeMutablePointer<x265_picture>
    var output: UnsafeMutablePointer<x265_picture>
    var encoder: OpaquePointer
    var headers: [[UInt8]]
  }

  /// The range of sides, beginning with the smallest coding tree block.
  private static let sides = 16...16384

  /// Opens an encoder; frees everything if it throws.
  static func open(_ settings: X265Settings, _ call: apus_x265) throws(MediaError) -> Parts {
    let format = settings.format
    guard sides.contains(format.width), sides.contains(format.height) else {
      throw MediaError(
        .limit,
        "libx265 encodes no \(format.width) × \(format.height) samples, but \(sides.lowerBound) to "
          + "\(sides.upperBound) each way")
    }
    guard let parameters = unsafe call.param_alloc() else { throw noMemory }
    do throws(MediaError) {
      try unsafe apply(settings, to: parameters, call)
      return try unsafe open(parameters, settings, call)
    } catch {
      unsafe call.param_free(parameters)
      throw error
    }
  }

  private static func apply(
    _ settings: X265Settings, to parameters: UnsafeMutablePointer<x265_param>, _ call: apus_x265
  ) throws(MediaError) {
    guard unsafe call.param_default_preset(parameters, settings.preset, nil) == 0 else {
      throw refusal("preset", settings.preset)
    }
    if let tune = settings.tune {
      guard unsafe call.param_default_preset(parameters, settings.preset, tune) == 0 else {
        throw refusal("tune", tune)
      }
    }
    if let parameter = settings.parameters.first(where: { X265Settings.reserved.contains($0.name) })
    {
      throw MediaError(.misuse, "x265's \(parameter.name) is nothing to choose here")
    }
    let own = [
      X265Settings.Parameter("annexb", "0"), X265Settings.Parameter("repeat-headers", "0"),
      X265Settings.Parameter("log-level", "none"), X265Settings.Parameter("info", "0"),
    ]
    for parameter in own + settings.description + settings.parameters {
      switch unsafe call.param_parse(parameters, parameter.name, parameter.value) {
      case 0: break
      case X265_PARAM_BAD_NAME:
        throw MediaError(.misuse, "x265 knows no parameter \(parameter.name)")
      default: throw refusal(parameter.name, parameter.value)
      }
    }
    if let profile = settings.profile {
      guard unsafe call.param_apply_profile(parameters, profile) == 0 else {
        throw MediaError(
          .misuse,
          "the profile \(profile) has no pictures of \(settings.bitDepth) bits in "
            + "\(settings.format.chroma.name) with these settings, or x265 does not know it")
      }
    }
  }

  private static func open(
    _ parameters: UnsafeMutablePointer<x265_param>, _ settings: X265Settings, _ call: apus_x265
  ) throws(MediaError) -> Parts {
    var opened: OpaquePointer?
    LibX265.opening.withLock { _ in unsafe opened = call.encoder_open(parameters) }
    guard let encoder = unsafe opened else {
      let list = settings.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ":")
      throw MediaError(
        .misuse,
        "libx265 refuses \(settings.codedFormat.width) × \(settings.codedFormat.height) samples of "
          + "\(settings.bitDepth) bits with preset \(settings.preset)"
          + (list.isEmpty ? "" : " and \(list)"))
    }
    guard let headers = unsafe headers(of: encoder, call),
      let input = unsafe call.picture_alloc()
    else {
      unsafe call.encoder_close(encoder)
      throw noMemory
    }
    guard let output = unsafe call.picture_alloc() else {
      unsafe call.picture_free(input)
      unsafe call.encoder_close(encoder)
      throw noMemory
    }
    unsafe call.picture_init(parameters, input)
    unsafe call.picture_init(parameters, output)
    return unsafe Parts(
      parameters: parameters, input: input, output: output, encoder: encoder, headers: headers)
  }

  private static func headers(of encoder: OpaquePointer, _ call: apus_x265) -> [[UInt8]]? {
    var units: UnsafeMutablePointer<x265_nal>?
    var count: UInt32 = 0
    guard unsafe call.encoder_headers(encoder, &units, &count) >= 0,
      let units = unsafe units
    else { return nil }
    return unsafe UnsafeBufferPointer(start: units, count: Int(count)).map { unit in
      // The bytes after the length.
      unsafe Array(
        UnsafeBufferPointer(start: unit.payload, count: Int(unit.sizeBytes)).dropFirst(4))
    }
  }

  private static var noMemory: MediaError {
    MediaError(.memory, "there is no memory for an encoder")
  }

  private static func refusal(_ name: String, _ value: String) -> MediaError {
    MediaError(.misuse, "x265 does not take \(value) as \(name)")
  }
}
