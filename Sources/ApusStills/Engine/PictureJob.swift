// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusThreads
internal import HEIF

/// The conversion of one picture from coded tiles to bytes, by any number of workers.
final class PictureJob: Sendable {
  /// The size of the written picture.
  let size: (width: Int, height: Int)
  private let steps: [PictureStep]
  /// The sources that are decoded in rows, keyed by the stream numbers in the steps.
  private let streams: [Int: RowStream]
  private let canvas: Canvas
  private let decoderThreads: Int
  private let salvages: Bool
  private let state: Monitor<State>

  private struct State: Sendable {
    var progress: PictureProgress
    var maker: PictureMaker?
    /// Encoded bands that wait for the ones before them.
    var encoded: [Int: [UInt8]] = [:]
    /// Bands that are encoded in parts, with the number of remaining parts.
    var divided: [Int: (band: ConvertedBand, left: Int)] = [:]
    var nextToWrite = 0
    var isWriting = false
    var outcome = Outcome()

    /// Returns the band to write next, if available; the thread that receives one writes it and asks again.
    mutating func takeNext() -> [UInt8]? {
      let bytes = encoded.removeValue(forKey: nextToWrite)
      isWriting = bytes != nil
      if isWriting { nextToWrite += 1 }
      return bytes
    }
  }

  /// The results of the work so far.
  struct Outcome: Sendable {
    var refusal: MediaError?
    /// The damage in a picture that was salvaged.
    var damage: [String] = []
    var decoders: [CodecUse] = []
    var bytes = 0
    var decodeSeconds = 0.0
    var convertSeconds = 0.0
    var encodeSeconds = 0.0
  }

  /// Creates the job. Until the maker is known, only as much is decoded as fits into the window.
  ///
  /// - Parameter decoderThreads: the number of threads that may decode a picture without tiles.
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

  /// Sets the maker, so that encoding can begin.
  func make(_ maker: PictureMaker) {
    state.withLock { state in
      state.maker = maker
      state.progress.encode(
        isSequential: maker.encoder.isSequential, parts: maker.encoder.parts,
        needsNeighbours: maker.conversion.needsEdges)
    }
  }

  /// Whether one thread would finish before another could start, and memory use is less than that of the program
  /// itself.
  var isSmall: Bool {
    (streams.isEmpty ? steps.count : streams.count) < 2 && canvas.windowBytes < 1 << 18
  }

  /// Whether memory use is so high that it is worth returning the program's pages to the system.
  private var isLarge: Bool { canvas.windowBytes > 1 << 22 }

  /// The maker; `nil` until it is known.
  var maker: PictureMaker? { state.withLock { $0.maker } }

  var outcome: Outcome { state.withLock { $0.outcome } }

  /// The completed fraction of the work, from 0 to 1.
  var fraction: Double { state.withLock { $0.progress.fraction } }

  /// Returns the next piece of work for a worker.
  func next() -> PictureProgress.Work? { state.withLock { $0.progress.next() } }

  /// Stops further work from being started, because of an error.
  func abandon(_ refusal: MediaError) {
    state.withLock { state in
      state.outcome.refusal = state.outcome.refusal ?? refusal
      state.progress.abandon()
    }
  }

  /// Writes the data before the first band.
  func begin() throws {
    guard let maker else { return }
    try write(maker.encoder.beginning(), to: maker.output)
  }

  /// Does a piece of work; an error ends the picture.
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
      try maker.output?.amend(amendment.bytes.span, at: amendment.offset)
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
        // Once a stream has failed, all its following steps report the same error.
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
    // An encoder may have its own thread, for which this one waits.
    let start = SuspendingClock.now
    try maker.encoder.encode(part: part, of: band, on: worker)
    let seconds = (SuspendingClock.now - start) / .seconds(1)
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

  /// Writes the complete bands up to this one in order; only one thread writes at a time.
  private func append(_ bytes: [UInt8], at index: Int, to output: (any PhotoOutput)?)
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

  private func write(_ bytes: [UInt8], to output: (any PhotoOutput)?) throws {
    guard !bytes.isEmpty else { return }
    try output?.write(bytes.span)
    state.withLock { $0.outcome.bytes += bytes.count }
  }
}
