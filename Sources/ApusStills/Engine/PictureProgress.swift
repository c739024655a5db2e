// SPDX-License-Identifier: MIT

/// The progress of the work on one picture, and the work that can be done next. It knows only the numbers of steps and
/// bands, not samples or threads.
///
/// A window of bands begins with the first one that is not encoded yet; a step is started once all bands that it paints
/// lie in the window, so that memory use is bounded whatever the size of the picture. The steps of a stream run one
/// after the other.
struct PictureProgress: Sendable {
  struct Step: Hashable, Sendable {
    /// The bands that the step paints.
    var bands: Range<Int>
    /// The stream whose next rows the step decodes; `nil` if it depends on no other step.
    var stream: Int?
  }

  enum Work: Hashable, Sendable {
    /// Decodes a step, given by its index, and paints it.
    case decode(Int)
    /// Converts and encodes a band.
    case encode(Int)
    /// Encodes a part of a converted band.
    case part(Int, ofBand: Int)
    /// Finishes the picture, because everything is done or the work was abandoned. Occurs once, as the last piece of
    /// work.
    case finish
  }

  private enum BandState: Sendable {
    case open, encoding, encoded
    /// The band is encoded in parts; the numbers of parts that were begun and that have ended.
    case divided(begun: Int, ended: Int)

    var isOpen: Bool { if case .open = self { true } else { false } }
    var isEncoded: Bool { if case .encoded = self { true } else { false } }
  }

  private let steps: [Step]
  private let window: Int
  private let isLayered: Bool
  private var isSequential = false
  /// The number of parts in which each band is encoded; 0 if bands are encoded whole.
  private var parts = 0
  /// Whether a band is encoded only after those above and below it are painted.
  private var needsNeighbours = false
  /// Whether the encoder is not known yet, so that steps are started as far as the window allows, and nothing else.
  private var isHeld = true
  /// The number of steps that have yet to paint each band.
  private var missing: [Int]
  private var bands: [BandState]
  private var nextStep = 0
  private var stepsInFlight = 0
  /// The streams that a step is reading at present.
  private var busyStreams: Set<Int> = []
  private var bandsInFlight = 0
  private var partsInFlight = 0
  private(set) var firstBand = 0
  private var isFinished = false
  private(set) var isAbandoned = false

  /// - Parameters:
  ///   - steps: the steps in starting order.
  ///   - isLayered: whether a step may begin only after the previous one has ended.
  init(steps: [Step], bandCount: Int, window: Int, isLayered: Bool) {
    self.steps = steps
    self.window = window
    self.isLayered = isLayered
    missing = Array(repeating: 0, count: bandCount)
    bands = Array(repeating: .open, count: bandCount)
    for step in steps { for band in step.bands { missing[band] += 1 } }
  }

  /// Allows bands to be encoded, and the picture to be finished.
  ///
  /// - Parameters:
  ///   - isSequential: whether bands are encoded one at a time and in order.
  ///   - parts: the number of parts in which each band is encoded; 0 to encode it whole.
  ///   - needsNeighbours: whether a band needs the ones above and below it.
  mutating func encode(isSequential: Bool, parts: Int, needsNeighbours: Bool = false) {
    (self.isSequential, self.parts) = (isSequential, parts)
    self.needsNeighbours = needsNeighbours
    isHeld = false
  }

  /// Returns the next piece of work for a worker. Bands come first, because they free memory; only work that has to be
  /// done in sequence precedes them, so that workers need not wait for it later.
  mutating func next() -> Work? {
    if !isAbandoned {
      if mayBeginStep, steps[nextStep].stream != nil { return beginStep() }
      if let work = nextPart() { return work }
      if !isHeld, let band = nextBand() {
        bands[band] = .encoding
        bandsInFlight += 1
        return .encode(band)
      }
      if mayBeginStep { return beginStep() }
    }
    guard !isHeld, !isFinished, stepsInFlight == 0, bandsInFlight == 0, partsInFlight == 0,
      isAbandoned || firstBand == bands.count
    else { return nil }
    isFinished = true
    return .finish
  }

  /// Whether a step could be started now.
  var mayBeginStep: Bool {
    guard nextStep < steps.count, steps[nextStep].bands.upperBound <= firstBand + window else {
      return false
    }
    if let stream = steps[nextStep].stream, busyStreams.contains(stream) { return false }
    return !isLayered || stepsInFlight == 0
  }

  /// The completed fraction, from 0 to 1; steps and bands have equal weight.
  var fraction: Double {
    Double(nextStep - stepsInFlight + firstBand) / Double(max(steps.count + bands.count, 1))
  }

  private mutating func beginStep() -> Work {
    if let stream = steps[nextStep].stream { busyStreams.insert(stream) }
    stepsInFlight += 1
    nextStep += 1
    return .decode(nextStep - 1)
  }

  private mutating func nextPart() -> Work? {
    guard parts > 0 else { return nil }
    for band in firstBand..<min(firstBand + window, bands.count) {
      guard case .divided(let begun, let ended) = bands[band], begun < parts else { continue }
      bands[band] = .divided(begun: begun + 1, ended: ended)
      partsInFlight += 1
      return .part(begun, ofBand: band)
    }
    return nil
  }

  private func nextBand() -> Int? {
    let last = min(firstBand + window, bands.count)
    if isSequential {
      let isReady = firstBand < last && bandsInFlight == 0 && isPainted(firstBand)
      return isReady ? firstBand : nil
    }
    return (firstBand..<last).first { bands[$0].isOpen && isPainted($0) }
  }

  /// Returns whether a band is painted, as well as the neighbours that it needs.
  private func isPainted(_ band: Int) -> Bool {
    guard needsNeighbours else { return missing[band] == 0 }
    return (max(band - 1, 0)...min(band + 1, bands.count - 1)).allSatisfy { missing[$0] == 0 }
  }

  mutating func ended(_ work: Work) {
    switch work {
    case .decode(let step):
      stepsInFlight -= 1
      if let stream = steps[step].stream { busyStreams.remove(stream) }
      for band in steps[step].bands { missing[band] -= 1 }
    case .encode(let band):
      bandsInFlight -= 1
      if parts > 0 { bands[band] = .divided(begun: 0, ended: 0) } else { close(band) }
    case .part(_, let band):
      partsInFlight -= 1
      guard case .divided(let begun, let ended) = bands[band] else { return }
      bands[band] = .divided(begun: begun, ended: ended + 1)
      if ended + 1 == parts { close(band) }
    case .finish: break
    }
  }

  private mutating func close(_ band: Int) {
    bands[band] = .encoded
    while firstBand < bands.count, bands[firstBand].isEncoded { firstBand += 1 }
  }

  /// Abandons the work after an error: work in progress ends, and only `finish` follows.
  mutating func abandon() { isAbandoned = true }
}
