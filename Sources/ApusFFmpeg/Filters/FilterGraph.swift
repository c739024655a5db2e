// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusFFmpeg

/// A graph of libavfilter with one input and one output.
@safe final class FilterGraph {
  /// The format of the frames that go in.
  enum Input: Equatable {
    case video(
      format: Int32, width: Int, height: Int, aspect: SampleAspect?, rate: Fraction?,
      meaning: Meaning)
    /// Sound, with the name of the layout.
    case audio(format: Int32, rate: Int, layout: String)
  }

  /// The interpretation of samples, in the library's numbers; constant where the library reads it from every frame.
  struct Meaning: Equatable {
    let matrix: Int32
    let range: Int32

    @unsafe init(_ frame: UnsafePointer<AVFrame>) {
      let meaning = unsafe apus_meaning(frame)
      (matrix, range) = (meaning.matrix, meaning.range)
    }
  }

  private let library: LibAVFilter
  private let description: String
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private var source: UnsafeMutablePointer<AVFilterContext>?
  private var sink: UnsafeMutablePointer<AVFilterContext>?

  private init(_ description: String, threads: Int, library: LibAVFilter) throws(MediaError) {
    self.library = library
    self.description = description
    unsafe graph = library.call.avfilter_graph_alloc()
    guard let graph = unsafe graph else { throw .noMemory("a graph of filters") }
    unsafe graph.pointee.nb_threads = Int32(clamping: threads)
  }

  /// - Parameters:
  ///   - timescale: the number of time units of frames per second.
  ///   - end: filters that convert frames to the requested format, added after the description's; `nil` for none.
  convenience init(
    _ description: String, input: Input, timescale: UInt32, end: (name: String, options: String)?,
    threads: Int, library: LibAVFilter
  ) throws(MediaError) {
    try self.init(description, threads: threads, library: library)
    let isVideo = if case .video = input { true } else { false }
    let (first, last) = try unsafe parsed(isVideo: isVideo)
    let source = try unsafe add(isVideo ? "buffer" : "abuffer")
    try unsafe set(input, timescale: timescale, on: source)
    try unsafe start(source, "")
    let sink = try unsafe add(isVideo ? "buffersink" : "abuffersink")
    try unsafe start(sink, "")
    try unsafe link(source, 0, first.filter, first.pad)
    var place = unsafe last
    if let end {
      let filter = try unsafe add(end.name)
      try unsafe start(filter, end.options)
      try unsafe link(place.filter, place.pad, filter, 0)
      unsafe place = unsafe Pad(filter: filter, pad: 0)
    }
    try unsafe link(place.filter, place.pad, sink, 0)
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avfilter_graph_config(graph, nil)
    }
    guard code >= 0 else { throw failure(code, words) }
    unsafe self.source = unsafe source
    unsafe self.sink = unsafe sink
  }

  /// Throws if a description cannot be a graph of one input and one output, whatever the input.
  static func check(
    _ description: String, isVideo: Bool, library: LibAVFilter
  ) throws(MediaError) {
    _ = try unsafe FilterGraph(description, threads: 1, library: library).parsed(isVideo: isVideo)
  }

  deinit { unsafe library.call.avfilter_graph_free(&graph) }

  @unsafe private struct Pad {
    let filter: UnsafeMutablePointer<AVFilterContext>
    let pad: UInt32
  }

  /// Creates the description's filters and returns their two ends.
  private func parsed(isVideo: Bool) throws(MediaError) -> (first: Pad, last: Pad) {
    try FilterDescription(description).checkTouchesNothing()
    var inputs: UnsafeMutablePointer<AVFilterInOut>?
    var outputs: UnsafeMutablePointer<AVFilterInOut>?
    defer {
      unsafe library.call.avfilter_inout_free(&inputs)
      unsafe library.call.avfilter_inout_free(&outputs)
    }
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avfilter_graph_parse2(graph, description, &inputs, &outputs)
    }
    guard code >= 0 else { throw failure(code, words) }
    guard let first = unsafe pad(inputs), let last = unsafe pad(outputs) else {
      throw MediaError(
        .misuse, "the filters \"\(description)\" must have one input and one output that are open")
    }
    let kind = isVideo ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO
    guard
      unsafe library.call.avfilter_pad_get_type(
        first.filter.pointee.input_pads, Int32(first.pad)) == kind,
      unsafe library.call.avfilter_pad_get_type(
        last.filter.pointee.output_pads, Int32(last.pad)) == kind
    else {
      throw MediaError(
        .misuse, "the filters \"\(description)\" are not for \(isVideo ? "pictures" : "sound")")
    }
    return unsafe (first, last)
  }

  /// Returns the only element of a list.
  private func pad(_ list: UnsafeMutablePointer<AVFilterInOut>?) -> Pad? {
    guard let only = unsafe list, unsafe only.pointee.next == nil,
      let filter = unsafe only.pointee.filter_ctx
    else { return nil }
    return unsafe Pad(filter: filter, pad: UInt32(clamping: only.pointee.pad_idx))
  }

  private func add(_ name: String) throws(MediaError) -> UnsafeMutablePointer<AVFilterContext> {
    guard let kind = unsafe library.call.avfilter_get_by_name(name) else {
      throw MediaError(.unsupported, "this libavfilter has no filter \(name)")
    }
    guard
      let filter = unsafe library.call.avfilter_graph_alloc_filter(graph, kind, "apus_\(name)")
    else { throw .noMemory("a filter") }
    return unsafe filter
  }

  private func start(
    _ filter: UnsafeMutablePointer<AVFilterContext>, _ options: String
  ) throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avfilter_init_str(filter, options)
    }
    guard code >= 0 else { throw failure(code, words) }
  }

  private func link(
    _ from: UnsafeMutablePointer<AVFilterContext>, _ output: UInt32,
    _ to: UnsafeMutablePointer<AVFilterContext>, _ input: UInt32
  ) throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.avfilter_link(from, output, to, input)
    }
    guard code >= 0 else { throw failure(code, words) }
  }

  private func failure(_ code: Int32, _ words: String) -> MediaError {
    MediaError(
      .misuse, "the filters \"\(description)\" are refused: \(library.base.text(code, words))")
  }
}

extension FilterGraph {
  private func set(
    _ input: Input, timescale: UInt32, on source: UnsafeMutablePointer<AVFilterContext>
  ) throws(MediaError) {
    guard let parameters = unsafe library.call.av_buffersrc_parameters_alloc(),
      let scale = Int32(exactly: timescale)
    else { throw .noMemory("a graph of filters") }
    defer { unsafe library.base.call.av_free(parameters) }
    unsafe parameters.pointee.time_base = AVRational(num: 1, den: scale)
    var code: Int32 = 0
    switch input {
    case .video(let format, let width, let height, let aspect, let rate, let meaning):
      unsafe apus_set_meaning(
        parameters, apus_meaning(matrix: meaning.matrix, range: meaning.range))
      unsafe parameters.pointee.format = format
      unsafe parameters.pointee.width = Int32(clamping: width)
      unsafe parameters.pointee.height = Int32(clamping: height)
      if let aspect {
        unsafe parameters.pointee.sample_aspect_ratio = AVRational(
          num: Int32(clamping: aspect.horizontal), den: Int32(clamping: aspect.vertical))
      }
      if let rate {
        unsafe parameters.pointee.frame_rate = AVRational(
          num: Int32(clamping: rate.numerator), den: Int32(clamping: rate.denominator))
      }
    case .audio(let format, let rate, let layout):
      unsafe parameters.pointee.format = format
      unsafe parameters.pointee.sample_rate = Int32(clamping: rate)
      code =
        unsafe library.base.call.av_channel_layout_from_string(
          &parameters.pointee.ch_layout, layout)
    }
    defer { unsafe library.base.call.av_channel_layout_uninit(&parameters.pointee.ch_layout) }
    if code >= 0 {
      code = unsafe library.call.av_buffersrc_parameters_set(source, parameters)
    }
    guard code >= 0 else { throw failure(code, "the input's parameters") }
  }

  /// Marks the end of the frames, and sets the end time of the last one.
  func finish(at end: Int64) throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.av_buffersrc_close(source, end, 0)
    }
    guard code >= 0 else { throw failure(code, words) }
  }

  /// Adds a frame, taking ownership.
  @unsafe func push(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    let (code, words) = LibraryLog.listening {
      unsafe library.call.av_buffersrc_add_frame_flags(source, frame, 0)
    }
    guard code >= 0 else { throw failure(code, words) }
  }

  /// Returns the next frame, which the caller frees; `nil` if another is needed first, or after the last.
  @unsafe func next() throws(MediaError) -> UnsafeMutablePointer<AVFrame>? {
    var frame = unsafe library.base.call.av_frame_alloc()
    guard unsafe frame != nil else { throw .noMemory("a picture") }
    let (code, words) = LibraryLog.listening {
      unsafe library.call.av_buffersink_get_frame_flags(sink, frame, 0)
    }
    if code >= 0 { return unsafe frame }
    unsafe library.base.call.av_frame_free(&frame)
    guard code == apus_error_again || code == apus_error_eof else { throw failure(code, words) }
    return nil
  }

  /// Makes sound come out in frames of this many samples, except the last; 0 for any.
  func setFrameSize(_ size: Int) {
    guard size > 0 else { return }
    unsafe library.call.av_buffersink_set_frame_size(sink, UInt32(clamping: size))
  }

  /// The unit of the times of output frames, in seconds.
  var unit: Fraction {
    let base = unsafe library.call.av_buffersink_get_time_base(sink)
    return Fraction(Int(base.num), Int(base.den))
  }

  /// The frame rate; `nil` if unknown.
  var frameRate: Fraction? {
    let rate = unsafe library.call.av_buffersink_get_frame_rate(sink)
    return rate.num > 0 && rate.den > 0 ? Fraction(Int(rate.num), Int(rate.den)) : nil
  }
}
