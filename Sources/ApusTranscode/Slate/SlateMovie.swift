// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
public import ApusMedia
public import ApusSamples

/// An endless video of a still picture, with a key frame every two seconds and with silence.
public struct SlateMovie: SampleSource, Sendable {
  /// The form of the video.
  public struct Form: Hashable, Sendable {
    /// The codecs, of which the first with an encoder on this machine is used.
    public var codecs: [VideoSettings.Codec]
    /// The width in pixels; even.
    public var width: Int
    /// The height in pixels; even.
    public var height: Int
    /// The silent tracks of sound, in order; empty for none.
    public var sounds: [SilentSound]

    /// - Parameters:
    ///   - width: the width of the video; an odd side becomes the even one below.
    ///   - sounds: the tracks of sound.
    public init(
      _ codecs: [VideoSettings.Codec], width: Int, height: Int, sounds: [SilentSound]
    ) {
      self.codecs = codecs
      (self.width, self.height) = (max(width & ~1, 2), max(height & ~1, 2))
      self.sounds = sounds
    }
  }

  /// The track of video, followed by those of sound.
  public let tracks: [CodedTrack]
  /// The pictures of two seconds, the first of which is a key frame.
  private let pictures: [Extent]
  private let sounds: [(sound: SilentSound, frame: Extent)]
  /// The number of samples returned so far for each track.
  private var given: [Int]

  private static let picturesPerSecond = 10
  private static let keyFrameSeconds = 2

  /// - Parameter picture: a picture that fits the form.
  public init(_ picture: SlatePicture, _ form: Form) throws(MediaError) {
    var settings = VideoSettings()
    settings.codecs = form.codecs
    settings.speed = "fast"
    settings.rate = .quality(18)
    settings.keyFrameInterval = Self.picturesPerSecond * Self.keyFrameSeconds
    settings.hasClosedGroups = true
    settings.x265Parameters = [.init("bframes", "0")]
    settings.x264Parameters = [.init("bframes", "0")]
    var traits = PictureTraits()
    traits.colour = SlatePicture.colour
    let format = PictureFormat(
      width: form.width, height: form.height, chroma: .yuv420, bitDepth: 8)
    let encoder = try EncoderChoice(settings).open(
      CodingRequest(
        settings: settings, format: format, pixelFormat: "yuv420p", traits: traits,
        timescale: 1000, frameRate: Fraction(Self.picturesPerSecond, 1))
    ).encoder
    pictures = try Self.pictures(of: picture.frame(format, traits: traits), encoder)
    var video = CodedTrack(.video, encoder.format, timescale: 1000)
    (video.width, video.height, video.picture) = (form.width, form.height, traits)
    sounds = form.sounds.map { ($0, Extent($0.frame)) }
    tracks = [video] + form.sounds.map(Self.track)
    given = tracks.map { _ in 0 }
  }

  private static func track(_ sound: SilentSound) -> CodedTrack {
    var track = CodedTrack(
      .audio, .aac(sound.configuration), timescale: UInt32(clamping: sound.sampleRate))
    (track.sampleRate, track.channels) = (sound.sampleRate, sound.channels)
    return track
  }

  private static func pictures(of frame: VideoFrame, _ encoder: any PictureCoding)
    throws(MediaError) -> [Extent]
  {
    var units: [CodedUnit] = []
    let count = picturesPerSecond * keyFrameSeconds
    for index in 0..<count {
      let shown = try frame.moved(to: time(ofPicture: index), duration: step)
      units += try encoder.encode(shown, forcesKey: index == 0)
    }
    units += try encoder.finish()
    // Decoding order must be presentation order: no picture may be predicted from later ones.
    guard units.count == count, units.map(\.isKey) == (0..<count).map({ $0 == 0 }) else {
      throw MediaError(.corrupt, "\(encoder.name) made other pictures than it was to")
    }
    return units.map { Extent($0.payload) }
  }

  /// Milliseconds from one picture to the next.
  private static var step: Int64 { Int64(1000 / picturesPerSecond) }

  private static func time(ofPicture index: Int) -> RationalTime {
    .milliseconds(Int64(index) * step)
  }

  private func time(of track: Int) -> RationalTime {
    guard track > 0 else { return Self.time(ofPicture: given[0]) }
    let sound = sounds[track - 1].sound
    return RationalTime(
      Int64(given[track]) * Int64(SilentSound.frameLength), per: UInt32(clamping: sound.sampleRate))
  }

  public mutating func next() throws -> SourceEvent? {
    var track = 0
    for other in tracks.indices.dropFirst() where time(of: other).isBefore(time(of: track)) {
      track = other
    }
    let time = time(of: track)
    let index = given[track]
    given[track] += 1
    guard track > 0 else {
      return .sample(
        CodedSample(
          track: 0, decodeTime: time, duration: .milliseconds(Self.step),
          isSync: index % pictures.count == 0, payload: pictures[index % pictures.count]))
    }
    let length = RationalTime(Int64(SilentSound.frameLength), per: time.timescale)
    return .sample(
      CodedSample(
        track: track, decodeTime: time, duration: length, isSync: true,
        payload: sounds[track - 1].frame))
  }
}
