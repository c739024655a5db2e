// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
internal import FLV
public import HEVC

/// The pictures of a bare HEVC stream (ITU-T H.265, Annex B), which has an order but no times: picture `k` is decoded
/// `k` frames after the first, and shown at its place in the order of output.
///
/// The first picture that is shown has the time 0; decoding begins as many frames earlier as reordering requires. A
/// file is read once before the first sample to find that number; for a pipe it is taken from the parameter sets.
public struct AnnexBSource: SampleSource, Sendable {
  /// The only track, of HEVC video.
  public let tracks: [CodedTrack]
  /// Warnings for the user, such as a frame rate that is assumed.
  public let warnings: [String]
  /// Pictures per second.
  public let frameRate: FrameRate

  private var pictures: BarePictureReader
  private var order = OutputOrder()
  private var tracker: ParameterSetTracker
  private var waiting: [Pending] = []
  /// The index of the first of `waiting` that was not returned yet, and its place in decoding order.
  private var position = 0
  private var firstIndex = 0
  private var isOver = false
  /// The number of frames by which decoding precedes presentation.
  private let delay: Int
  /// The number of frames by which presentation was delayed since, for sequences that reorder more than the first.
  private var pause = 0
  private let isGrowing: Bool
  /// The picture that was read last, in a stream that may end anywhere: it is known to be whole when another follows.
  private var last: BarePicture?
  private let isSalvaging: Bool
  /// Whether parameter sets occurred elsewhere than before random access pictures.
  private var hasStraySets: Bool

  private struct Pending: Sendable {
    var picture: BarePicture
    /// The format from here on, where it changes.
    var format: CodedTrack.Format?
    var place: Int?
    var pause: Int
  }

  /// - Parameters:
  ///   - frameRate: the frame rate, which overrides that of the stream.
  ///   - isSalvaging: whether the last picture, which may be incomplete, is left out.
  public init(
    _ source: any ByteSource, frameRate: FrameRate? = nil, limits: Limits = Limits(),
    isSalvaging: Bool = false
  ) throws {
    try self.init(
      PulledBytes(source), frameRate, limits, isGrowing: false, isSalvaging: isSalvaging)
  }

  /// Creates a source for a pipe, or for a file that still grows.
  public init(growing bytes: PulledBytes, frameRate: FrameRate? = nil, limits: Limits = Limits())
    throws
  {
    try self.init(bytes, frameRate, limits, isGrowing: true)
  }

  private init(
    _ bytes: PulledBytes, _ frameRate: FrameRate?, _ limits: Limits, isGrowing: Bool,
    isSalvaging: Bool = false
  ) throws {
    self.isGrowing = isGrowing
    self.isSalvaging = isSalvaging
    var bytes = bytes
    try BareStreamKind.check(bytes.peek())
    var pictures = BarePictureReader(bytes, limits: limits)
    let again = pictures.unchecked
    guard let first = try pictures.next() else {
      throw MediaError(
        .invalid, of: .part("stream"), "has no picture that begins with its parameter sets")
    }
    var warnings: [String] = []
    if pictures.passedOver > 0 {
      warnings.append(
        "\(pictures.passedOver) access units before the first random access point are left out")
    }
    let record = try InBandSets.record(of: first.units, at: 0)
    let headers = StreamHeaders(record)
    let said = headers.pictureRate
    if isSalvaging {
      warnings.append("the last picture is left out, because it may be incomplete")
    }
    if said == nil, frameRate == nil {
      warnings.append(
        "the stream does not give its frame rate, and none was set; assuming 25 frames per second"
      )
    }
    let rate = try Self.usable(frameRate ?? said)
    self.frameRate = rate
    if isGrowing {
      delay = first.bounds.reorder
      hasStraySets = false
      self.pictures = pictures
    } else {
      let survey = try BareStreamSurvey(first, &pictures)
      delay = survey.delay
      hasStraySets = survey.hasStraySets
      warnings += pictures.doubts
      self.pictures = again
    }
    let complete = hasStraySets ? record : record.complete
    tracker = ParameterSetTracker(complete)
    var track = Self.track(of: complete, headers, rate)
    if let doubt = track.picture.completeDolbyVision(
      first.units, headers, rate: rate.framesPerSecond)
    {
      warnings.append(doubt)
    }
    self.warnings = warnings
    tracks = [track]
    if isGrowing { try add(first) }
  }

  /// Returns the frame rate, or 25 if there is none. Throws if times cannot hold it.
  private static func usable(_ frameRate: FrameRate?) throws -> FrameRate {
    guard let rate = frameRate ?? FrameRate(25, 1), rate.numerator <= UInt32.max,
      rate.denominator <= 1 << 40
    else {
      throw MediaError(
        .unsupported, of: .part("frame rate"), "is beyond what times can hold",
        remedy: .frameRate)
    }
    return rate
  }

  private static func track(
    of record: DecoderConfigurationRecord, _ headers: StreamHeaders, _ rate: FrameRate
  ) -> CodedTrack {
    var track = CodedTrack(.video, .hevc(record), timescale: UInt32(rate.numerator))
    if let sequence = headers.baseSequences.first {
      let size = sequence.displaySize ?? sequence.format.codedSize
      (track.width, track.height) = (size.width, size.height)
    }
    return track
  }

  /// The signs of damage found so far in a pipe; in a file they are found before the first sample.
  public var repairs: [String] { pictures.doubts }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if position < waiting.count, let place = waiting[position].place {
        if let format = waiting[position].format {
          waiting[position].format = nil
          return .format(track: 0, format)
        }
        return .sample(try hand(over: waiting[position], place))
      }
      guard !isOver else { return nil }
      if let picture = try pictures.next() {
        if !isSalvaging {
          try add(picture)
        } else {
          if let last { try add(last) }
          last = picture
        }
      } else {
        isOver = true
        place(order.flush())
      }
    }
  }

  private mutating func add(_ picture: BarePicture) throws {
    var pending = Pending(picture: picture, pause: pause)
    if picture.isIRAP, picture.hasSets {
      let lead = picture.units.filter { unit in
        NALUnitHeader(of: unit).map { $0.nuhLayerID == 0 && $0.nalUnitType.leadsRecord } ?? false
      }
      if try tracker.update(with: lead) {
        pending.format = .hevc(hasStraySets ? tracker.record : tracker.record.complete)
      }
    } else if picture.hasSets {
      hasStraySets = true
    }
    if isGrowing, picture.startsSequence {
      pause = max(pause, picture.bounds.reorder - delay)
      pending.pause = pause
    }
    waiting.append(pending)
    place(
      order.add(
        picture.orderCount, startsSequence: picture.startsSequence,
        isGrowing ? picture.bounds : OutputOrder.Bounds()))
  }

  private mutating func place(_ placed: [OutputOrder.Placed]) {
    for picture in placed { waiting[picture.index - firstIndex + position].place = picture.place }
  }

  private mutating func hand(over pending: Pending, _ place: Int) throws
    -> CodedSample
  {
    let time = firstIndex - delay
    firstIndex += 1
    position += 1
    if position > 64 {
      waiting.removeFirst(position)
      position = 0
    }
    let picture = pending.picture
    // At random access pictures the sets are those of the format.
    let isInFormat = picture.isIRAP && !hasStraySets
    let kept =
      isInFormat
      ? picture.units.filter { unit in
        NALUnitHeader(of: unit).map { $0.nuhLayerID > 0 || !$0.nalUnitType.isParameterSet } ?? true
      } : picture.units
    return CodedSample(
      track: 0, decodeTime: moment(time), presentationTime: moment(place + pending.pause),
      duration: moment(1), isSync: picture.isIRAP,
      payload: Extent(try LengthPrefixed.bytes(of: kept)))
  }

  private func moment(_ frames: Int) -> RationalTime {
    RationalTime(Int64(frames) &* Int64(frameRate.denominator), per: UInt32(frameRate.numerator))
  }
}
