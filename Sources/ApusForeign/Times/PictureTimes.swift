// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples

/// Completes the two times of every picture from those in its container.
struct PictureTimes: Sendable {
  /// The times that the container omits.
  enum Missing: Hashable, Sendable {
    /// None, or only occasional ones.
    case nothing
    /// Decoding times: the sorted presentation times, this many pictures earlier.
    case decoding(delay: Int)
    /// Presentation times: the slices give the order of the pictures, and decoding is moved forward by this many
    /// pictures relative to the container's times.
    case presentation(delay: Int)
  }

  /// A sample with its times in units of its track.
  struct Timed: Sendable {
    var sample: ForeignSample
    var decode: Int64?
    var shown: Int64?
  }

  let missing: Missing
  /// The duration of a picture in units, if it is not given otherwise.
  private let frame: Int64
  private var waiting: [Timed] = []
  private var order = OutputOrder()
  /// Places in output order, by the index in decoding order, for the pictures in `waiting` only.
  private var places: [Int?] = []
  private var firstIndex = 0
  private var lastDecode: Int64?
  private var lastShown: Int64?
  /// Presentation times that are not yet used as decoding times, in ascending order.
  private var ahead: [Int64] = []
  private var index = 0
  /// The time from a picture's slot to its presentation, from the last picture that has one.
  private var base: Int64 = 0
  /// The time of each place in decoding order, used for the picture that is shown at that place.
  private var slots: [Int: Int64] = [:]
  private(set) var repairedDecoding = 0
  private(set) var repairedPresentation = 0

  init(_ missing: Missing, frame: Int64) {
    self.missing = missing
    self.frame = max(frame, 1)
  }

  mutating func add(_ timed: Timed) -> [Timed] {
    switch missing {
    case .nothing: return [plain(timed)]
    case .decoding(let delay): return delayed(timed, by: delay)
    case .presentation(let delay):
      append(timed)
      return ready(delay)
    }
  }

  /// Returns all waiting pictures.
  mutating func flush() -> [Timed] {
    switch missing {
    case .nothing: return []
    case .decoding(let delay): return begun(by: delay, isOver: true)
    case .presentation(let delay):
      place(order.flush())
      return ready(delay)
    }
  }

  // MARK: - Both are given

  private mutating func plain(_ timed: Timed) -> Timed {
    var result = timed
    if result.decode == nil {
      repairedDecoding += 1
      let next = lastDecode.map { $0 + frame }
      result.decode =
        next.map { next in result.shown.map { min($0, next) } ?? next }
        ?? result.shown ?? 0
    }
    if result.shown == nil {
      repairedPresentation += 1
      result.shown = result.decode
    }
    lastDecode = result.decode
    return result
  }

  // MARK: - Decoding times are missing

  /// Adds a picture: picture `k` is decoded at the time at which the picture `delay` places before it in output order
  /// is shown.
  private mutating func delayed(_ timed: Timed, by delay: Int) -> [Timed] {
    var timed = timed
    if timed.shown == nil {
      repairedPresentation += 1
      timed.shown = (lastShown ?? 0) + frame
    }
    lastShown = timed.shown
    let shown = timed.shown ?? 0
    ahead.insert(shown, at: ahead.firstIndex { $0 > shown } ?? ahead.count)
    waiting.append(timed)
    guard waiting.count + index > delay else { return [] }
    var result = begun(by: delay)
    if var last = waiting.popLast() {
      decode(&last, at: ahead.removeFirst())
      result.append(last)
    }
    return result
  }

  /// Returns the pictures at the beginning that are decoded before any presentation time.
  private mutating func begun(by delay: Int, isOver: Bool = false) -> [Timed] {
    guard index < delay, let first = ahead.first else { return [] }
    var result: [Timed] = []
    for place in 0..<waiting.count - (isOver ? 0 : 1) {
      var timed = waiting[place]
      decode(&timed, at: first - Int64(delay - place) * frame)
      result.append(timed)
    }
    waiting.removeFirst(result.count)
    return result
  }

  private mutating func decode(_ timed: inout Timed, at time: Int64) {
    // A missing time is derived from the order; many containers never have it.
    if let said = timed.decode, said != time { repairedDecoding += 1 }
    timed.decode = time
    index += 1
  }

  // MARK: - Presentation times are missing

  private mutating func append(_ timed: Timed) {
    var timed = timed
    if timed.decode == nil { repairedDecoding += 1 }
    let decode = timed.decode ?? lastDecode.map { $0 + frame } ?? 0
    timed.decode = decode
    lastDecode = decode
    slots[index] = decode
    index += 1
    waiting.append(timed)
    places.append(nil)
    let said = timed.sample.order
    place(
      order.add(
        said?.count ?? 0, startsSequence: said?.startsSequence ?? true,
        said?.bounds ?? OutputOrder.Bounds(reorder: 0)))
  }

  private mutating func place(_ placed: [OutputOrder.Placed]) {
    for picture in placed where picture.index >= firstIndex {
      places[picture.index - firstIndex] = picture.place
    }
  }

  private mutating func ready(_ delay: Int) -> [Timed] {
    var result: [Timed] = []
    while let first = places.first, let place = first, let slot = slots[place] {
      var timed = waiting.removeFirst()
      places.removeFirst()
      firstIndex += 1
      slots[place] = nil
      if let shown = timed.shown {
        base = shown - slot
      } else {
        repairedPresentation += 1
        timed.shown = slot + base
      }
      timed.decode = timed.decode.map { $0 - Int64(delay) * frame }
      result.append(timed)
    }
    return result
  }
}
