// SPDX-License-Identifier: MIT

/// How far the work on one picture is, and what of it can be done now. Knows numbers of steps and bands only:
/// no samples, no threads.
///
/// Bands lie in a window that begins with the first one that is not encoded yet; a step is started when all the
/// bands that it paints lie in the window, so memory is bounded however large the picture is. Of the steps of one
/// stream, each begins when the one before has ended.
struct PictureProgress: Sendable {
  struct Step: Hashable, Sendable {
    /// The bands that it paints.
    var bands: Range<Int>
    /// The stream whose next rows it decodes; `nil` where it depends on no other step.
    var stream: Int?
  }

  enum Work: Hashable, Sendable {
    /// Decode a step, by its place in the list, and paint it.
    case decode(Int)
    /// Convert and encode a band.
    case encode(Int)
    /// Encode a part of a band that was converted.
    case part(Int, ofBand: Int)
    /// Everything is done, or nothing more will be: close the picture. Comes once, and last.
    case finish
  }

  private enum BandState: Sendable {
    case open, encoding, encoded
    /// How many of its parts were begun, and how many have ended.
    case divided(begun: Int, ended: Int)

    var isOpen: Bool { if case .open = self { true } else { false } }
    var isEncoded: Bool { if case .encoded = self { true } else { false } }
  }

  private let steps: [Step]
  private let window: Int
  private let isLayered: Bool
  private var isSequential = false
  /// How many parts each band is encoded in; 0 where it is encoded whole.
  private var parts = 0
  /// Whether a band is encoded only when those above and below it are painted, too.
  private var needsNeighbours = false
  /// Whether it is not known yet who encodes: steps are started as far as the window goes, and nothing else.
  private var isHeld = true
  /// Steps that have still to paint each band.
  private var missing: [Int]
  private var bands: [BandState]
  private var nextStep = 0
  private var stepsInFlight = 0
  /// The streams that a step reads now.
  private var busyStreams: Set<Int> = []
  private var bandsInFlight = 0
  private var partsInFlight = 0
  private(set) var firstBand = 0
  private var isFinished = false
  private(set) var isAbandoned = false

  /// - Parameters:
  ///   - steps: in the order in which they are started.
  ///   - isLayered: whether a step may begin only when the one before has ended.
  init(steps: [Step], bandCount: Int, window: Int, isLayered: Bool) {
    self.steps = steps
    self.window = window
    self.isLayered = isLayered
    missing = Array(repeating: 0, count: bandCount)
    bands = Array(repeating: .open, count: bandCount)
    for step in steps { for band in step.bands { missing[band] += 1 } }
  }

  /// Lets bands be encoded, and the picture end.
  ///
  /// - Parameters:
  ///   - isSequential: whether bands are encoded one at a time and in order.
  ///   - parts: in how many parts each band is encoded; 0 where it is encoded whole.
  ///   - needsNeighbours: whether a band needs those above and below it.
  mutating func encode(isSequential: Bool, parts: Int, needsNeighbours: Bool = false) {
    (self.isSequential, self.parts) = (isSequential, parts)
    self.needsNeighbours = needsNeighbours
    isHeld = false
  }

  /// What a worker should begin with now, bands first, because they free memory; but before them what only one worker
  /// can do at a time, so that the others do not have to wait for it later.
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

  /// How much is done, steps and bands counted alike: 0 to 1.
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

  /// Whether a band is painted, with the neighbours that it needs.
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

  /// Something went wrong: what is in flight ends, nothing more begins but the end.
  mutating func abandon() { isAbandoned = true }
}
