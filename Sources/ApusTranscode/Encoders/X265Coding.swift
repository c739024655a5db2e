// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import ApusX265
internal import HEVC

/// HEVC by libx265.
final class X265Coding: PictureCoding {
  let name: String
  let format: CodedTrack.Format
  private let encoder: X265Encoder

  init(_ request: CodingRequest) throws(MediaError) {
    encoder = try X265Encoder(Self.settings(request))
    name = encoder.name
    do {
      format = .hevc(try RecordBuilder().record(of: encoder.headers).record)
    } catch {
      throw MediaError(.corrupt, "libx265 made headers that no record fits: \(error.message)")
    }
  }

  private static func settings(_ request: CodingRequest) -> X265Settings {
    let wanted = request.settings
    var settings = X265Settings(request.format)
    settings.traits = request.traits
    settings.frameRate = (
      UInt32(clamping: request.frameRate.numerator), UInt32(clamping: request.frameRate.denominator)
    )
    settings.preset = wanted.speed ?? "medium"
    settings.tune = wanted.tune
    settings.profile = wanted.profile
    switch wanted.rate {
    case .quality(nil): break
    case .quality(.some(let quality)): settings.parameters.append(.init("crf", "\(quality)"))
    case .bitRate(let rate, _): settings.parameters.append(.init("bitrate", "\(rate / 1000)"))
    }
    switch request.pass {
    case .first(let path): settings.parameters += [.init("pass", "1"), .init("stats", path)]
    case .second(let path): settings.parameters += [.init("pass", "2"), .init("stats", path)]
    case nil: break
    }
    if request.keyFramesAreForced {
      settings.parameters += [.init("keyint", "-1"), .init("scenecut", "0")]
    } else if let interval = request.keyFrameInterval {
      settings.parameters.append(.init("keyint", "\(interval)"))
    }
    if wanted.hasClosedGroups { settings.parameters.append(.init("open-gop", "0")) }
    if let threads = wanted.threads { settings.parameters.append(.init("pools", "\(threads)")) }
    let parameters = (wanted.peak?.parameters ?? []) + wanted.x265Parameters
    settings.parameters += parameters.map { .init($0.name, $0.value) }
    return settings
  }

  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit] {
    let units = try unsafe frame.withView { view throws(MediaError) in
      do throws(MediaError) {
        return try unsafe encoder.encode(view, time: frame.time.value, forcesKey: forcesKey)
          .map(Self.unit)
      } catch {
        throw error.at(frame.time)
      }
    }
    guard let units else {
      throw MediaError(.unsupported, "libx265 takes no \(frame.pixelFormat)", at: frame.time)
    }
    return units
  }

  func finish() throws(MediaError) -> [CodedUnit] {
    return try encoder.finish().map(Self.unit)
  }

  private static func unit(_ picture: EncodedPicture) -> CodedUnit {
    CodedUnit(
      payload: picture.payload, presentationTime: picture.presentationTime,
      decodeTime: picture.decodeTime, isKey: picture.isKey)
  }
}
