// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// H.264 by libx264, through libavcodec.
final class X264Coding: PictureCoding {
  let name: String
  let format: CodedTrack.Format
  private let encoder: VideoEncoder
  private let timescale: UInt32

  init(_ request: CodingRequest) throws(MediaError) {
    let wanted = request.settings
    var settings = VideoEncoderSettings(
      "libx264", width: request.format.width, height: request.format.height,
      pixelFormat: request.pixelFormat, timescale: request.timescale)
    settings.traits = request.traits
    settings.frameRate = request.frameRate
    settings.preset = wanted.speed
    settings.tune = wanted.tune
    settings.profile = wanted.profile
    settings.keyFrameInterval =
      request.keyFramesAreForced ? Self.noInterval : request.keyFrameInterval ?? 250
    settings.threads = wanted.threads ?? 0
    switch wanted.rate {
    case .quality(let quality): settings.crf = quality
    case .bitRate(let rate, _): settings.bitRate = rate
    }
    switch request.pass {
    case .first(let path): settings.pass = .first(path)
    case .second(let path): settings.pass = .second(path)
    case nil: break
    }
    var parameters = (wanted.peak?.parameters ?? []) + wanted.x264Parameters
    if request.keyFramesAreForced { parameters.insert(.init("scenecut", "0"), at: 0) }
    if !parameters.isEmpty {
      let words = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ":")
      settings.options.append(.init("x264-params", words))
    }
    encoder = try VideoEncoder(settings)
    name = encoder.name
    format = .avc(encoder.configuration)
    timescale = request.timescale
  }

  /// The value that x264 treats as an unlimited interval.
  private static let noInterval = 1 << 30

  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit] {
    try encoder.send(frame, isKey: forcesKey)
    return try encoder.units()
  }

  func finish() throws(MediaError) -> [CodedUnit] {
    try encoder.finish()
    return try encoder.units()
  }
}
