// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import ApusMedia
internal import HEVC
internal import ISOBMFF

/// Plans a frame of a track as one piece.
struct FramePlanner {
  let track: Track
  let source: any ByteSource
  let limits: PlanLimits
  private var findings: [Finding] = []

  init(track: Track, source: any ByteSource, limits: PlanLimits) {
    self.track = track
    self.source = source
    self.limits = limits
  }

  mutating func plan(_ index: Int) throws(SyntaxError) -> PicturePlan {
    let frames = PictureTrack(track: track, source: source, limits: limits)
    let lengthSizes = track.sampleEntries.map { entry in
      entry.located.box(at: "hvcC", as: HEVCConfiguration.self)
        .map { Int($0.record.lengthSizeMinusOne) + 1 }
    }
    let input = source
    let frame = try frames.frame(index) { sample throws(SyntaxError) in
      guard lengthSizes.indices.contains(sample.descriptionIndex - 1),
        let lengthSize = lengthSizes[sample.descriptionIndex - 1]
      else { return false }
      return try Self.isSkippedLeading(try input.bytes(in: sample.range), lengthSize: lengthSize)
    }
    guard let last = frame.samples.last,
      let entry = track.sampleEntries.first(where: { $0.index == last.descriptionIndex })
    else { throw failure(.invalid, "frame \(index)", "has no sample entry") }
    guard !entry.isExternal else {
      throw failure(.unsupported, "frame \(index)", "is in another file, which is not supported")
    }
    let samples = frame.samples.map { [Extent(source, $0.range)] }
    // Sets that are missing in the record are in the sync sample.
    let stream = try self.stream(of: entry, samples.first ?? [])
    guard let shape = stream.shape else {
      throw failure(.invalid, "frame \(index)", "does not state its size and depth")
    }
    let coded = PlannedSource(
      name: "frame \(index) of track \(track.id)", codec: stream.codec,
      configuration: stream.configuration, samples: samples, format: shape.format,
      colour: shape.colour, site: shape.site)
    return try plan(coded, entry)
  }

  private mutating func plan(_ coded: PlannedSource, _ entry: TrackSampleEntry)
    throws(SyntaxError) -> PicturePlan
  {
    var budget = PlanBudget(limits)
    let format = coded.format
    let (area, overflow) = format.width.multipliedReportingOverflow(by: format.height)
    try budget.decode(
      overflow ? .max : area, times: coded.samples.count,
      bytes: coded.samples.reduce(0) { $0 + $1.byteCount }, name: coded.name, path: track.path,
      offset: track.located.node.start)
    var layout = ItemLayout(width: format.width, height: format.height)
    layout.pieces = [
      PlannedPiece(
        source: 0, crop: layout.bounds, orientation: .upright, place: layout.bounds)
    ]
    cut(&layout, entry)
    if let matrix = track.header?.matrix { place(&layout, matrix) }
    var plan = PicturePlan(width: layout.width, height: layout.height)
    plan.sources = [coded]
    plan.pieces = layout.pieces
    plan.uncut = layout.uncut
    plan.uncut?.sources = [coded]
    plan.orientation = layout.orientation
    plan.isPlacedByContainer = true
    var search = ColourSearch()
    for colour in entry.located.children(of: "colr") {
      search.add(colour, of: "track \(track.id)")
    }
    plan.colour = search.result(with: coded)
    plan.findings = findings + search.findings
    return plan
  }

  private mutating func cut(_ layout: inout ItemLayout, _ entry: TrackSampleEntry) {
    guard let clap = entry.located.child("clap"), let aperture = clap.box(CleanAperture.self) else {
      return
    }
    switch aperture.rect(inWidth: layout.width, height: layout.height) {
    case .success(let rect): layout.crop(to: rect)
    case .failure(let error):
      findings.append(
        Finding(
          .warning, rule: "clap-left-out", path: clap.path, offset: clap.node.start,
          message: "clap \(error.message) and is ignored"))
    }
  }

  private mutating func place(_ layout: inout ItemLayout, _ matrix: TransformationMatrix) {
    guard let orientation = matrix.orientation else {
      let path = track.located.child("tkhd") ?? track.located
      findings.append(
        Finding(
          .warning, rule: "matrix-left-out", path: path.path, offset: path.node.start,
          message:
            "the matrix of track \(track.id) is neither a quarter turn nor a mirror and is ignored"
        ))
      return
    }
    layout.lay(orientation)
  }

  private func stream(of entry: TrackSampleEntry, _ data: [Extent]) throws(SyntaxError)
    -> CodedStream
  {
    var stream: CodedStream
    if let located = entry.located.child("hvcC"), let box = located.box(HEVCConfiguration.self) {
      stream = try CodedStream(hevc: box.record, body: try located.body())
      if stream.shape == nil || entry.type.mayHoldSetsInSamples {
        stream.shape = try StreamShape(inSample: try data.bytes(), of: stream) ?? stream.shape
      }
    } else if let located = entry.located.child("avcC"),
      let box = located.box(AVCConfiguration.self)
    {
      stream = try CodedStream(avc: box, body: try located.body())
    } else if let located = entry.located.child("av1C"),
      let box = located.box(AV1Configuration.self)
    {
      stream = try CodedStream(av1: box, body: try located.body())
      if stream.shape == nil {
        stream.shape = StreamShape(inAV1Units: try data.bytes(upTo: StreamShape.headerBytes))
      }
    } else {
      throw failure(
        .unsupported, "track \(track.id)",
        "is coded as \(entry.codingType), which Apus cannot decode")
    }
    guard entry.codingType == entry.type else {
      throw failure(
        .unsupported, "track \(track.id)", "is encrypted (\(entry.type))")
    }
    return stream
  }

  private func failure(_ kind: SyntaxError.Kind, _ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(
      kind, field: field, path: track.path, offset: track.located.node.start, detail: detail)
  }

  /// Returns whether a decoder that begins at the preceding sync sample skips the picture (RASL): ITU-T H.265, 3.130.
  private static func isSkippedLeading(_ sample: [UInt8], lengthSize: Int) throws(SyntaxError)
    -> Bool
  {
    for unit in try LengthPrefixed.units(in: sample.span, lengthSize: lengthSize)
    where unit.count >= 2 {
      let type = NALUnitHeader(sample[unit.lowerBound], sample[unit.lowerBound + 1]).nalUnitType
      if type.isVCL { return type.isRASL }
    }
    return false
  }
}

extension TransformationMatrix {
  /// The orientation; `nil` if the matrix does more than rotate by multiples of 90 degrees and mirror.
  var orientation: Orientation? {
    guard a.magnitude == d.magnitude, b.magnitude == c.magnitude, (a == 0) != (b == 0) else {
      return nil
    }
    // If mirrored, the first axis is reversed before the rotation.
    let isMirrored = b == 0 ? a.signum() != d.signum() : b.signum() == c.signum()
    let sign: Int32 = isMirrored ? -1 : 1
    let turns = b == 0 ? (a.signum() == sign ? 0 : 2) : (b.signum() == sign ? 1 : 3)
    return Orientation(isMirrored: isMirrored, quarterTurns: turns)
  }
}
