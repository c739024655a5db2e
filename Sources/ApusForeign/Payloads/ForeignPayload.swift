// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import FLV
internal import HEVC
internal import ISOBMFF

/// Converts the packets of one stream to samples as in movies.
struct ForeignPayload: Sendable {
  enum Form {
    case asItIs
    case hevc, avc, adts
    case temporalUnits
    case latm(LATMReader)
  }

  /// The format of the last sample; `nil` until enough packets have come to determine it.
  var format: CodedTrack.Format? { didSet { opening = opening ?? format } }
  /// The format of the first sample.
  private(set) var opening: CodedTrack.Format?
  /// The number of packets before the first with which decoding can begin, and of empty ones.
  private(set) var passedOver = 0
  private(set) var damaged = 0
  let stream: ForeignStream
  private let limits: Limits
  private var form: Form?
  private var tracker: ParameterSetTracker?
  var sets = AVCParameterSets()
  /// The reader of the order in slices; `nil` if it is not needed.
  private var orders: ForeignOrders?
  /// Whether times depend on that order.
  private var needsOrder = false
  /// The number of access units whose slices cannot be read.
  private(set) var unreadable = 0
  /// Whether `orders` has the format.
  private var knowsFormat = false

  init(_ stream: ForeignStream, limits: Limits) {
    self.stream = stream
    self.limits = limits
    guard stream.kind == .subtitle else { return }
    // The first packet may come late.
    let subtitles = CodedTrack.Format.other(
      ForeignCodec.code(of: stream), ForeignConfiguration.bytes(of: stream))
    (format, opening, form) = (subtitles, subtitles, .asItIs)
  }

  /// Starts reading the order of pictures from their slices.
  mutating func readOrder() {
    needsOrder = true
    orders = ForeignOrders(stream.codec, reorder: stream.reorderDepth, limits: limits)
  }

  mutating func samples(of packet: ForeignPacket) throws -> [ForeignSample] {
    guard !packet.bytes.isEmpty else { return [] }
    if packet.isDamaged { damaged += 1 }
    if form == nil {
      guard canBegin(with: packet.bytes) else {
        passedOver += 1
        return []
      }
      form = try begin(packet)
      // A byte stream is divided into units anyway, so that checking them costs nothing.
      switch form {
      case .hevc, .avc:
        orders =
          orders ?? ForeignOrders(stream.codec, reorder: stream.reorderDepth, limits: limits)
      default: break
      }
    }
    switch form {
    case .hevc: return try hevc(packet)
    case .avc: return try avc(packet)
    case .adts: return try adts(packet)
    case .latm(var reader):
      defer { form = .latm(reader) }
      return try latm(packet, &reader)
    case .temporalUnits:
      var packet = packet
      packet.bytes = AV1UnitWalk.stored(packet.bytes)
      return try asItIs(packet)
    case .asItIs, nil: return try asItIs(packet)
    }
  }

  // MARK: - Samples

  private func sample(_ packet: ForeignPacket, _ payload: [UInt8], isSync: Bool) -> ForeignSample {
    ForeignSample(
      payload: Extent(payload), isSync: isSync, presentationTime: packet.presentationTime,
      decodeTime: packet.decodeTime, duration: packet.duration)
  }

  private mutating func order(of units: [[UInt8]], _ change: CodedTrack.Format?)
    throws -> PictureOrder?
  {
    if let said = knowsFormat ? change : format { orders?.add(said) }
    knowsFormat = true
    do {
      return try orders?.order(of: units)
    } catch  where !needsOrder {
      unreadable += 1
      return nil
    }
  }

  /// The signs of missing pictures, as text.
  var doubts: [String] { orders?.doubts ?? [] }

  private mutating func asItIs(_ packet: ForeignPacket) throws -> [ForeignSample] {
    var change: CodedTrack.Format?
    if let bytes = packet.configuration, !bytes.isEmpty, let format {
      let next: CodedTrack.Format
      switch format {
      case .hevc: next = .hevc(try DecoderConfigurationRecord(bytes))
      case .avc: next = .avc(bytes)
      case .aac: next = .aac(bytes)
      case .other(let code, _): next = .other(code, bytes)
      }
      if try !next.isSame(as: format) { change = next }
      self.format = next
    }
    let payload = Extent(packet.bytes)
    // TrueHD is the only sound with frames that need others.
    let isAudio = stream.kind == .audio && stream.codec != "truehd"
    let isSync = try format?.isSync(payload, said: packet.isKey || isAudio) ?? packet.isKey
    var made = sample(packet, packet.bytes, isSync: isSync)
    made.format = change
    if orders != nil, let format {
      let units = try LengthPrefixed.nalUnits(in: packet.bytes, lengthSize: format.lengthSize)
      made.order = try order(of: units, change)
    }
    return [made]
  }

  private mutating func hevc(_ packet: ForeignPacket) throws -> [ForeignSample] {
    let units = AnnexB.nalUnits(in: packet.bytes).filter { $0.count >= NALUnitHeader.size }
    var isRandomAccess = false
    var hasPicture = false
    var lead: [[UInt8]] = []
    for unit in units {
      guard let header = NALUnitHeader(of: unit), header.nuhLayerID == 0 else { continue }
      if header.nalUnitType.leadsRecord { lead.append(unit) }
      if header.nalUnitType.isVCL, !hasPicture {
        hasPicture = true
        isRandomAccess = header.nalUnitType.isIRAP
      }
    }
    guard hasPicture else {
      passedOver += 1
      return []
    }
    var change: CodedTrack.Format?
    if tracker == nil {
      let known = AnnexB.nalUnits(in: stream.configuration)
      guard isRandomAccess, let record = try firstRecord(lead, known) else {
        passedOver += 1
        return []
      }
      tracker = ParameterSetTracker(record)
      format = .hevc(record)
    } else if isRandomAccess, try tracker?.update(with: lead) == true, let record = tracker?.record
    {
      format = .hevc(record)
      change = .hevc(record)
    }
    var made = sample(packet, try LengthPrefixed.bytes(of: units), isSync: isRandomAccess)
    made.format = change
    made.order = try order(of: units, change)
    return [made]
  }

  /// Returns the record of the sets before the first picture or, if these are incomplete, of those that libavformat
  /// found.
  private func firstRecord(_ lead: [[UInt8]], _ known: [[UInt8]]) throws
    -> DecoderConfigurationRecord?
  {
    let types = Set(lead.compactMap { NALUnitHeader(of: $0)?.nalUnitType })
    if types.isSuperset(of: [.vps, .sps, .pps]) { return try InBandSets.record(of: lead, at: 0) }
    let foreign = Set(known.compactMap { NALUnitHeader(of: $0)?.nalUnitType })
    guard foreign.isSuperset(of: [.vps, .sps, .pps]) else { return nil }
    return try InBandSets.record(of: known, at: 0)
  }

  private mutating func avc(_ packet: ForeignPacket) throws -> [ForeignSample] {
    let units = AnnexB.nalUnits(in: packet.bytes).filter { !$0.isEmpty }
    var isNew = false
    for unit in units where unit.avcNALUnitType?.isParameterSet == true {
      if sets.add(unit) { isNew = true }
    }
    let isIDR = units.contains { $0.avcNALUnitType == .idr }
    let hasPicture = units.contains { $0.avcNALUnitType?.startsSlice == true }
    let canBegin = (isIDR || packet.isKey) && sets.isComplete
    guard hasPicture, format != nil || canBegin else {
      passedOver += 1
      return []
    }
    var change: CodedTrack.Format?
    if isNew || format == nil {
      guard let configuration = try sets.configuration() else {
        throw MediaError(
          .invalid, of: .part("AVCDecoderConfigurationRecord"),
          "cannot be made: the stream has no parameter sets, or too many")
      }
      let next = CodedTrack.Format.avc(try configuration.bytes())
      if format != nil { change = next }
      format = next
    }
    // In avc1 all sets are in the record (ISO/IEC 14496-15, 5.3.3).
    let rest = units.filter { $0.avcNALUnitType?.isParameterSet != true }
    var made = sample(
      packet, try LengthPrefixed.bytes(of: rest), isSync: isIDR || packet.isKey)
    made.format = change
    made.order = try order(of: rest, change)
    return [made]
  }

  private mutating func adts(_ packet: ForeignPacket) throws -> [ForeignSample] {
    guard let frames = try ADTSFrame.frames(in: packet.bytes) else {
      passedOver += 1
      return []
    }
    return try several(packet, frames.map { ($0.configuration, Array(packet.bytes[$0.data])) })
  }

  private mutating func latm(_ packet: ForeignPacket, _ reader: inout LATMReader)
    throws -> [ForeignSample]
  {
    let frames = try reader.frames(in: packet.bytes)
    if frames.isEmpty { passedOver += 1 }
    return try several(packet, frames)
  }

  /// Returns the frames of sound in one packet, of which the first has the packet's times.
  private mutating func several(
    _ packet: ForeignPacket, _ frames: [(configuration: [UInt8], data: [UInt8])]
  ) throws -> [ForeignSample] {
    var made: [ForeignSample] = []
    for frame in frames {
      var next = sample(packet, frame.data, isSync: true)
      next.duration = packet.duration / Int64(frames.count)
      if !made.isEmpty { (next.decodeTime, next.presentationTime) = (nil, nil) }
      let said = CodedTrack.Format.aac(frame.configuration)
      if let format, try !said.isSame(as: format) { next.format = said }
      format = said
      made.append(next)
    }
    return made
  }
}
