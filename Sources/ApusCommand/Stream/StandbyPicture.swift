// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import ApusStills
import ApusTranscode
import Glibc
import Synchronization

/// A still picture that is sent while an input sends nothing, in the size and codec of the input, with silence as its
/// audio.
final class StandbyPicture: Sendable {
  private let source: any ByteSource
  private let limits: Limits
  /// The codecs to use while no input has arrived.
  private let codecs: [VideoSettings.Codec]
  /// Called once if the stand-by has no audio.
  private let onWarning: @Sendable (String) -> Void
  private let made = Mutex<(form: SlateMovie.Form, movie: SlateMovie)?>(nil)
  private let isWarned = Atomic(false)

  /// The maximum size of the picture while the size of the input is unknown.
  private static let largest = (width: 1920, height: 1080)

  /// Throws if the picture cannot be decoded.
  init(
    _ source: any ByteSource, _ options: StreamInput.Options,
    _ onWarning: @escaping @Sendable (String) -> Void
  ) throws {
    self.source = source
    self.onWarning = onWarning
    limits = options.limits
    let chosen = options.coding?.settings.video.codecs.filter { $0 != .copy } ?? []
    codecs = chosen.isEmpty ? [.hevc] : chosen
    _ = try picture(PictureBounds(width: 64, height: 64))
  }

  /// Returns the picture as video that can replace these tracks, which are `nil` while no input has arrived.
  func movie(for input: [CodedTrack]?) throws -> SlateMovie {
    guard let input else {
      let picture = try picture(
        PictureBounds(width: Self.largest.width, height: Self.largest.height))
      let form = SlateMovie.Form(
        codecs, width: max(picture.width, 64), height: max(picture.height, 64),
        sounds: [try SilentSound()])
      return try movie(form)
    }
    guard let video = input.first(where: { $0.kind == .video }) else {
      throw MediaError(.unsupported, "a still picture cannot stand in for an input without video")
    }
    guard let codec = Self.codec(of: video) else {
      throw MediaError(
        .unsupported, "a still picture is encoded as HEVC or H.264, but the input has \(video.name)"
      )
    }
    let audio = input.filter { $0.kind == .audio }
    var sounds: [SilentSound] = []
    for track in audio {
      guard let sound = try SilentSound(following: track) else { break }
      sounds.append(sound)
    }
    if sounds.count < audio.count, !isWarned.exchange(true, ordering: .relaxed) {
      onWarning("cannot make silence for \(audio[sounds.count].name), so the stand-by has no audio")
    }
    let isKnown = video.width > 0 && video.height > 0
    return try movie(
      SlateMovie.Form(
        [codec], width: isKnown ? video.width : Self.largest.width,
        height: isKnown ? video.height : Self.largest.height, sounds: sounds))
  }

  private static func codec(of track: CodedTrack) -> VideoSettings.Codec? {
    switch track.format {
    case .hevc: .hevc
    case .avc: .h264
    case .aac, .other: nil
    }
  }

  private func movie(_ form: SlateMovie.Form) throws -> SlateMovie {
    if let made = made.withLock({ $0 }), made.form == form { return made.movie }
    let bounds = PictureBounds(width: form.width, height: form.height, enlarges: true)
    let movie = try SlateMovie(picture(bounds), form)
    made.withLock { $0 = (form, movie) }
    return movie
  }

  /// Decodes the picture upright, in sRGB, over black.
  private func picture(_ bounds: PictureBounds) throws -> SlatePicture {
    var options = ConvertOptions()
    options.format = .png
    options.convertsToSRGB = true
    options.hdr = .tonemap
    options.strip = .all
    options.bounds = bounds
    options.boxLimits = limits
    let engine = PhotoEngine(options, workers: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let rows = PixelRows()
    let source = source
    let report = engine.reportAndWait(
      of: PhotoRequest(
        name: "picture", open: { source },
        output: { role in role == .primary ? SampleDestination(rows) : nil }))
    if let failure = report.failure { throw failure }
    guard let pixels = rows.pixels else { throw MediaError(.nothing, "there is no picture") }
    return try pixels.slate()
  }
}
