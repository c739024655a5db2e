// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// HEVC or H.264 by an encoder of libavcodec that needs a device, or whose own form of samples is another.
final class DeviceCoding: PictureCoding {
  let name: String
  let format: CodedTrack.Format
  private let encoder: VideoEncoder
  /// Converts pictures to the form that the device has; `nil` where it has theirs.
  private let converter: VideoFilter?

  /// Opens the encoder on the first device, and in the first form of samples, that it accepts.
  init(_ request: CodingRequest, _ facts: CodecFacts) throws(MediaError) {
    let nodes = facts.device.isEmpty ? [nil] : DeviceNodes(facts.device).nodes
    var opened: VideoEncoder?
    var refusal: MediaError?
    for node in nodes {
      for samples in Self.samples(request) where opened == nil {
        var settings = VideoEncoderSettings(
          facts.id, width: request.format.width, height: request.format.height,
          pixelFormat: samples, timescale: request.timescale)
        settings.deviceNode = node
        settings.traits = request.traits
        settings.frameRate = request.frameRate
        settings.keyFrameInterval =
          request.keyFramesAreForced ? Self.longest : request.keyFrameInterval ?? 250
        try DeviceWords(facts.id)?
          .add(request.settings, isForced: request.keyFramesAreForced, to: &settings)
        do throws(MediaError) {
          opened = try VideoEncoder(settings, facts)
        } catch {
          refusal = refusal ?? error
        }
      }
    }
    guard let opened else { throw refusal ?? MediaError(.missing, "there is no device") }
    encoder = opened
    name = opened.name
    let isSame = opened.settings.pixelFormat == request.pixelFormat
    converter =
      isSame
      ? nil
      : try VideoFilter(
        "", pixelFormats: [opened.settings.pixelFormat], frameRate: request.frameRate)
    format = try Self.format(of: opened)
  }

  /// The longest interval of key frames that all of them take.
  private static let longest = 65_535

  /// Returns the forms of samples that devices have for those of a picture, best first.
  private static func samples(_ request: CodingRequest) -> [String] {
    guard request.format.chroma == .yuv420 else { return [request.pixelFormat] }
    return request.format.bitDepth > 8
      ? ["p010le", request.pixelFormat] : ["nv12", request.pixelFormat]
  }

  private static func format(of encoder: VideoEncoder) throws(MediaError) -> CodedTrack.Format {
    guard encoder.framing == .byteStream else { return .avc(encoder.configuration) }
    do {
      let sets = AnnexB.nalUnits(in: encoder.configuration)
      return .hevc(try RecordBuilder().record(of: sets).record)
    } catch {
      throw MediaError(
        .unsupported, "\(encoder.name) has parameter sets that no record fits: \(error.message)")
    }
  }

  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit] {
    guard let converter else {
      try encoder.send(frame, isKey: forcesKey)
      return try ready()
    }
    try converter.push(frame)
    while let converted = try converter.next() { try encoder.send(converted, isKey: forcesKey) }
    return try ready()
  }

  func finish() throws(MediaError) -> [CodedUnit] {
    if let converter {
      try converter.finish()
      while let converted = try converter.next() { try encoder.send(converted) }
    }
    try encoder.finish()
    return try ready()
  }

  private func ready() throws(MediaError) -> [CodedUnit] {
    var units = try encoder.units()
    guard encoder.framing == .byteStream else { return units }
    for index in units.indices { units[index].payload = try Self.payload(units[index].payload) }
    return units
  }

  /// Returns the NAL units, each preceded by its length, without the parameter sets, which the record has.
  private static func payload(_ stream: [UInt8]) throws(MediaError) -> [UInt8] {
    let units = AnnexB.nalUnits(in: stream).filter { unit in
      unit.first.map { !NALUnitType(firstByte: $0).isParameterSet } ?? false
    }
    do throws(SyntaxError) {
      return try LengthPrefixed.bytes(of: units)
    } catch {
      throw MediaError(.corrupt, "an encoded picture cannot be stored: \(error.message)")
    }
  }
}
