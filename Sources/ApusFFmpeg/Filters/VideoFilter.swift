// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A graph of libavfilter between one stream of pictures and another. Belongs to one thread at a time.
///
/// It is created when the first picture comes, with that picture's properties, and created again when pictures change:
/// the pictures in the old one come out first.
@safe public final class VideoFilter {
  private let library: LibAVFilter
  private let description: String
  private let pixelFormats: [String]
  private let inputRate: Fraction?
  private let threads: Int
  private var graph: FilterGraph?
  private var input: FilterGraph.Input?
  private var timescale: UInt32 = 0
  private var ready: [VideoFrame] = []
  private var isFinished = false
  /// The time at which the last picture ends, in units of `timescale`.
  private var end: Int64 = 0

  /// Checks a description without needing pictures: unknown filters and options, broken syntax, filters that access
  /// files.
  public static func check(_ description: String) throws(MediaError) {
    try FilterGraph.check(
      description.isEmpty ? "null" : description, isVideo: true, library: .load())
  }

  /// - Parameters:
  ///   - description: filters in libavfilter's syntax, with one input and one output: `scale=1280:-2,fps=25`. Empty for
  ///     none, if pictures are only converted to a requested format.
  ///   - pixelFormats: the formats that may come out, by the library's names; any if empty.
  ///   - frameRate: the frame rate of the input, if it is constant; some filters rely on it.
  ///   - threads: the number of threads; 0 for as many as there are processors.
  public init(
    _ description: String, pixelFormats: [String] = [], frameRate: Fraction? = nil,
    threads: Int = 0
  ) throws(MediaError) {
    library = try LibAVFilter.load()
    self.description = description.isEmpty ? "null" : description
    self.pixelFormats = pixelFormats
    inputRate = frameRate
    self.threads = threads
    try FilterDescription(self.description).checkTouchesNothing()
  }

  /// Adds a picture. Samples are shared, not copied.
  public func push(_ frame: VideoFrame) throws(MediaError) {
    guard !isFinished else { throw MediaError(.misuse, "a picture comes after the last") }
    let input = unsafe FilterGraph.Input.video(
      format: frame.frame.pointee.format, width: frame.width, height: frame.height,
      aspect: frame.traits.sampleAspect, rate: inputRate,
      meaning: FilterGraph.Meaning(frame.frame))
    let graph = try graph(for: input, timescale: frame.time.timescale)
    // The graph keeps the reference, and modifies the frame that holds it.
    var shell = unsafe library.base.call.av_frame_clone(frame.frame)
    guard let picture = unsafe shell else { throw .noMemory("a picture") }
    defer { unsafe library.base.call.av_frame_free(&shell) }
    unsafe picture.pointee.pts = frame.time.value
    unsafe apus_set_duration(picture, frame.duration)
    end = frame.time.value &+ frame.duration
    try unsafe graph.push(picture)
  }

  /// Marks the end of the pictures.
  public func finish() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    try graph?.finish(at: end)
  }

  /// Returns the next picture; `nil` if another is needed first, or after the last. Its time is in units chosen by the
  /// graph: those of the input unless filters change the rate.
  public func next() throws(MediaError) -> VideoFrame? {
    ready.isEmpty ? try pull() : ready.removeFirst()
  }

  /// The number of pictures per second, as far as the graph knows it.
  public var frameRate: Fraction? { graph?.frameRate }

  private func graph(
    for input: FilterGraph.Input, timescale: UInt32
  ) throws(MediaError) -> FilterGraph {
    if let graph, input == self.input, timescale == self.timescale { return graph }
    if let graph {
      try graph.finish(at: end)
      while let frame = try pull() { ready.append(frame) }
    }
    let end =
      pixelFormats.isEmpty
      ? nil : (name: "format", options: "pix_fmts=" + pixelFormats.joined(separator: "|"))
    let graph = try FilterGraph(
      description, input: input, timescale: timescale, end: end, threads: threads,
      library: library)
    self.graph = graph
    self.input = input
    self.timescale = timescale
    return graph
  }

  private func pull() throws(MediaError) -> VideoFrame? {
    guard let graph, let frame = try unsafe graph.next() else { return nil }
    let unit = graph.unit
    let timescale = UInt32(clamping: unit.denominator)
    let picture = unsafe VideoFrame(
      owning: frame,
      time: RationalTime(frame.pointee.pts &* Int64(unit.numerator), per: timescale),
      duration: duration(of: apus_duration(frame), in: graph),
      library: library.base)
    guard unsafe frame.pointee.pts != apus_no_time else {
      throw MediaError(.misuse, "the filters \"\(description)\" give pictures without times")
    }
    return picture
  }

  /// Returns the duration of a picture: filters that change the rate do not update it.
  private func duration(of old: Int64, in graph: FilterGraph) -> Int64 {
    if let rate = graph.frameRate, rate != inputRate {
      let length = RationalTime(Int64(rate.denominator), per: UInt32(clamping: rate.numerator))
      return length.rounded(to: UInt32(clamping: graph.unit.denominator)) ?? 0
    }
    return graph.unit == Fraction(1, Int(timescale)) ? old : 0
  }
}
