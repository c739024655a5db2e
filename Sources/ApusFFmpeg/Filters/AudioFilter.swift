// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusFFmpeg

/// A graph of libavfilter between one stream of sound and another: resampled, mixed and divided into frames of the size
/// that an encoder requires. Belongs to one thread at a time, and is used like `VideoFilter`.
///
/// Frames whose times match within the rounding error are joined without a gap; other gaps are kept in the times.
@safe public final class AudioFilter {
  /// The format of the output; empty and 0 keep that of the input.
  public struct Output: Hashable, Sendable {
    /// The library's name for the layout of samples, such as `fltp`; empty keeps that of the input.
    public var sampleFormat = ""
    /// The number of samples per second and channel; 0 keeps that of the input.
    public var sampleRate = 0
    /// The library's name for the speakers: `stereo`.
    public var channelLayout = ""
    /// The number of samples per channel in a frame; the last may have fewer.
    public var frameSize = 0

    /// Creates a format that keeps everything.
    public init() {}
  }

  private let library: LibAVFilter
  private let description: String
  private let output: Output
  private var graph: FilterGraph?
  private var input: FilterGraph.Input?
  /// The expected time of the next frame, in samples.
  private var expected: Int64?
  private var ready: [AudioFrame] = []
  private var isFinished = false

  /// Checks a description without needing any sound.
  public static func check(_ description: String) throws(MediaError) {
    try FilterGraph.check(
      description.isEmpty ? "anull" : description, isVideo: false, library: .load())
  }

  /// Creates a filter; throws if the description is invalid or would access files.
  ///
  /// - Parameter description: a chain in libavfilter's syntax; empty for conversion only.
  public init(_ description: String = "", output: Output = Output()) throws(MediaError) {
    library = try LibAVFilter.load()
    self.description = description.isEmpty ? "anull" : description
    self.output = output
    try FilterDescription(self.description).checkTouchesNothing()
  }

  /// Adds sound.
  public func push(_ frame: AudioFrame) throws(MediaError) {
    guard !isFinished else { throw MediaError(.misuse, "sound comes after the last") }
    let layout = unsafe library.base.usableName(of: &frame.frame.pointee.ch_layout)
    let input = unsafe FilterGraph.Input.audio(
      format: frame.frame.pointee.format, rate: frame.sampleRate, layout: layout)
    let graph = try graph(for: input, rate: frame.sampleRate)
    var shell = unsafe library.base.call.av_frame_clone(frame.frame)
    guard let sound = unsafe shell else { throw .noMemory("sound") }
    defer { unsafe library.base.call.av_frame_free(&shell) }
    let start = start(of: frame)
    expected = start &+ Int64(frame.sampleCount)
    unsafe sound.pointee.pts = start
    if unsafe sound.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      _ = unsafe library.base.call.av_channel_layout_from_string(&sound.pointee.ch_layout, layout)
    }
    try unsafe graph.push(sound)
  }

  /// Marks the end of the input.
  public func finish() throws(MediaError) {
    guard !isFinished else { return }
    isFinished = true
    try graph?.finish(at: expected ?? 0)
  }

  /// Returns the next sound, with its time in samples; `nil` if more is needed first, or after the last.
  public func next() throws(MediaError) -> AudioFrame? {
    ready.isEmpty ? try pull() : ready.removeFirst()
  }

  /// Returns the time at which a frame begins, in samples.
  private func start(of frame: AudioFrame) -> Int64 {
    let rate = UInt32(clamping: frame.sampleRate)
    let start = frame.time.rounded(to: rate) ?? 0
    guard let expected else { return start }
    // Times may be truncated or rounded to their unit.
    let unit = Int64(rate) / Int64(max(frame.time.timescale, 1)) + 1
    return start.subtractingReportingOverflow(expected).partialValue.magnitude <= unit
      ? expected : start
  }

  private func graph(for input: FilterGraph.Input, rate: Int) throws(MediaError) -> FilterGraph {
    if let graph, input == self.input { return graph }
    if let graph {
      try graph.finish(at: expected ?? 0)
      while let frame = try pull() { ready.append(frame) }
    }
    var ends: [String] = []
    if !output.sampleFormat.isEmpty { ends.append("sample_fmts=" + output.sampleFormat) }
    if output.sampleRate > 0 { ends.append("sample_rates=\(output.sampleRate)") }
    if !output.channelLayout.isEmpty { ends.append("channel_layouts=" + output.channelLayout) }
    let graph = try FilterGraph(
      description, input: input, timescale: UInt32(clamping: rate),
      end: ends.isEmpty ? nil : (name: "aformat", options: ends.joined(separator: ":")),
      threads: 0, library: library)
    graph.setFrameSize(output.frameSize)
    self.graph = graph
    self.input = input
    expected = nil
    return graph
  }

  private func pull() throws(MediaError) -> AudioFrame? {
    guard let graph, let frame = try unsafe graph.next() else { return nil }
    let unit = graph.unit
    return unsafe AudioFrame(
      owning: frame,
      time: RationalTime(
        frame.pointee.pts &* Int64(unit.numerator), per: UInt32(clamping: unit.denominator)),
      library: library.base)
  }
}
