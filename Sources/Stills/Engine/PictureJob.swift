// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Media
internal import Threads

/// One picture on its way from coded tiles to bytes, worked on by any number of workers.
final class PictureJob: Sendable {
  /// The sides of what is written.
  let size: (width: Int, height: Int)
  private let steps: [PictureStep]
  /// The sources that are decoded in rows, by the numbers that steps call them.
  private let streams: [Int: RowStream]
  private let canvas: Canvas
  private let decoderThreads: Int
  private let salvages: Bool
  private let state: Monitor<State>

  private struct State: Sendable {
    var progress: PictureProgress
    var maker: PictureMaker?
    /// Encoded bands that wait for those before them.
    var encoded: [Int: [UInt8]] = [:]
    /// Bands that are encoded in parts, each with how many of these are left.
    var divided: [Int: (band: ConvertedBand, left: Int)] = [:]
    var nextToWrite = 0
    var isWriting = false
    var outcome = Outcome()

    /// The band to write next, when it is there; the thread that takes one writes it and asks again.
    mutating func takeNext() -> [UInt8]? {
      let bytes = encoded.removeValue(forKey: nextToWrite)
      isWriting = bytes != nil
      if isWriting { nextToWrite += 1 }
      return bytes
    }
  }

  /// What the work has come to so far.
  struct Outcome: Sendable {
    var refusal: MediaError?
    /// What is missing in a picture that was salvaged.
    var damage: [String] = []
    var decoders: [CodecUse] = []
    var bytes = 0
    var decodeSeconds = 0.0
    var convertSeconds = 0.0
    var encodeSeconds = 0.0
  }

  /// While it is not known what is made of it, so much is decoded as its window holds.
  ///
  /// - Parameter decoderThreads: how many threads may decode inside of a picture that has no tiles to share.
  init(_ recipe: Recipe, decoderThreads: Int) {
    let setup = recipe.setup
    size = recipe.size
    canvas = setup.canvas
    steps = setup.steps
    var streams: [Int: RowStream] = [:]
    for step in setup.steps {
      if let stream = step.stream, streams[stream] == nil {
        streams[stream] = RowStream(step.source)
      }
    }
    self.streams = streams
    self.decoderThreads = recipe.sharesThreads && steps.count == 1 ? decoderThreads : 1
    salvages = recipe.salvages
    let layouts = [setup.canvas.colour, setup.canvas.alpha].compactMap { $0 }
    state = Monitor(
      State(
        progress: PictureProgress(
          steps: steps.map { PictureProgress.Step(bands: $0.step.bands, stream: $0.stream) },
          bandCount: setup.canvas.colour.bandCount,
          window: layouts.map(\.window).max() ?? 1,
          isLayered: layouts.contains { $0.isLayered })))
    if let maker = recipe.maker { make(maker) }
  }

  /// Says what is made of it.
  func make(_ maker: PictureMaker) {
    state.withLock { state in
      state.maker = maker
      state.progress.encode(
        isSequential: maker.encoder.isSequential, parts: maker.encoder.parts,
        needsNeighbours: maker.conversion.needsEdges)
    }
  }

  /// Whether one thread is done with it before another has begun, and it takes less memory than the program itself.
  var isSmall: Bool {
    (streams.isEmpty ? steps.count : streams.count) < 2 && canvas.windowBytes < 1 << 18
  }

  /// Whether it takes so much memory that the pages of the program are worth giving back.
  private var isLarge: Bool { canvas.windowBytes > 1 << 22 }

  /// This is `nil` while it is not known.
  var maker: PictureMaker? { state.withLock { $0.maker } }

  var outcome: Outcome { state.withLock { $0.outcome } }

  /// How much of it is done: 0 to 1.
  var fraction: Double { state.withLock { $0.progress.fraction } }

  /// What a worker should begin with now.
  func next() -> PictureProgress.Work? { state.withLock { $0.progress.next() } }

  /// Nothing more is to be started.
  func abandon(_ refusal: MediaError) {
    state.withLock { state in
      state.outcome.refusal = state.outcome.refusal ?? refusal
      state.progress.abandon()
    }
  }

  /// Writes what precedes the first band.
  func begin() throws {
    guard let maker else { return }
    try write(maker.encoder.beginning(), to: maker.output)
  }

  /// Does a piece of work; what goes wrong ends the picture.
  func perform(_ work: PictureProgress.Work, on worker: Worker) {
    do {
      switch work {
      case .decode(let step): try decode(steps[step], on: worker)
      case .encode(let band): try encode(band, on: worker)
      case .part(let part, let band): try encode(part, ofBand: band, on: worker)
      case .finish: try finish()
      }
    } catch {
      abandon(MediaError(error))
    }
    state.withLock { $0.progress.ended(work) }
  }

  private func finish() throws {
    guard outcome.refusal == nil, let maker else { return }
    try write(maker.encoder.ending(), to: maker.output)
    if let amendment = try maker.encoder.amendment(ofFileWith: outcome.bytes) {
      try maker.output.amend(amendment.bytes.span, at: amendment.offset)
    }
  }

  // MARK: Decoding

  private func decode(_ step: PictureStep, on worker: Worker) throws {
    if isLarge { CodePages.giveBackOnce() }
    let start = threadSeconds()
    defer {
      let seconds = threadSeconds() - start
      let uses = worker.takeUses()
      state.withLock { state in
        state.outcome.decodeSeconds += seconds
        for use in uses { state.outcome.decoders.add(use) }
      }
    }
    let isLast = state.withLock { !$0.progress.mayBeginStep }
    do {
      try StepPainter(
        step: step, canvas: canvas, threads: decoderThreads,
        stream: step.stream.flatMap { streams[$0] }, isLast: isLast
      ).run(on: worker, salvaging: salvages)
    } catch {
      guard salvages else { throw error }
      state.withLock { state in
        // Where a stream has ended, every step that follows gives the same reason.
        if step.stream == nil || !state.outcome.damage.contains("\(error)") {
          state.outcome.damage.append("\(error)")
        }
      }
    }
  }

  // MARK: Encoding

  private func encode(_ index: Int, on worker: Worker) throws {
    guard let maker else { return }
    let start = threadSeconds()
    let band = canvas.band(index)
    let top = canvas.colour.rows(ofBand: index).lowerBound
    let edges = maker.conversion.needsEdges ? canvas.edges(of: index) : ColourEdges()
    let converted = maker.conversion.convert(band, edges: edges, at: top)
    let middle = threadSeconds()
    let whole = ConvertedBand(index: index, picture: converted, alpha: band.alpha)
    let bytes = try maker.encoder.encode(whole, on: worker)
    if maker.encoder.parts > 0 {
      state.withLock { $0.divided[index] = (whole, maker.encoder.parts) }
    } else {
      release(whole, maker)
    }
    let end = threadSeconds()
    state.withLock {
      $0.outcome.convertSeconds += middle - start
      $0.outcome.encodeSeconds += end - middle
    }
    try append(bytes, at: index, to: maker.output)
  }

  private func encode(_ part: Int, ofBand index: Int, on worker: Worker) throws {
    guard let maker, let band = state.withLock({ $0.divided[index]?.band }) else { return }
    // An encoder may have a thread of its own, for which this one waits.
    let start = clockSeconds()
    try maker.encoder.encode(part: part, of: band, on: worker)
    let seconds = clockSeconds() - start
    let isLast = state.withLock { state in
      state.outcome.encodeSeconds += seconds
      state.divided[index]?.left -= 1
      guard state.divided[index]?.left == 0 else { return false }
      state.divided[index] = nil
      return true
    }
    if isLast { release(band, maker) }
  }

  private func release(_ band: ConvertedBand, _ maker: PictureMaker) {
    maker.conversion.release(band.picture)
    canvas.release(band.index, keepsEdges: maker.conversion.needsEdges)
  }

  /// Writes the bands that are whole up to here, in order; one thread at a time does.
  private func append(_ bytes: [UInt8], at index: Int, to output: any PhotoOutput)
    throws
  {
    var piece = state.withLock { state in
      state.encoded[index] = bytes
      return state.isWriting ? nil : state.takeNext()
    }
    while let bytes = piece {
      try write(bytes, to: output)
      piece = state.withLock { $0.takeNext() }
    }
  }

  private func write(_ bytes: [UInt8], to output: any PhotoOutput) throws {
    guard !bytes.isEmpty else { return }
    try output.write(bytes.span)
    state.withLock { $0.outcome.bytes += bytes.count }
  }
}
