// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
public import FLV
internal import HEVC

/// Writes samples as an FLV file, HEVC in the chosen dialect.
///
/// The metadata of a finished file contain its length and the places of its key frames, which are known at the end
/// only: a caller that can read the samples twice writes them into a `CountingSink` first and passes `measured` to the
/// actual output.
public struct FLVOutput<Sink: ByteSink>: SampleOutput {
  private var writer: FLVWriter<Sink>
  private var packetizer: Packetizer
  private var index = KeyFrameIndex()
  private var placement: FLVPlacement
  private let metadata: AMFMessage?
  /// The metadata that were made for the tracks; set when the first sample comes.
  private var firstMetadata: AMFMessage?
  private var hasBegun = false
  private let isLive: Bool

  /// - Parameters:
  ///   - tracks: all tracks of the source; those that `FLVPlace` refuses are left out.
  ///   - details: the details of the source; its tags are written.
  ///   - metadata: `onMetaData` as `measured` returned it.
  ///   - isLive: whether each sample is passed on to the sink at once.
  public init(
    _ tracks: [CodedTrack], _ details: MediaDetails = MediaDetails(), to sink: Sink,
    dialect: HEVCDialect? = nil,
    metadata: AMFMessage? = nil, isLive: Bool = false
  ) throws {
    self.isLive = isLive
    placement = FLVPlacement(tracks, dialect)
    self.metadata = metadata
    var options = Packetizer.Options()
    options.dialect = dialect
    options.metadata = details.flashTags
    let (video, audio) = (placement.video, placement.audio)
    packetizer = try Packetizer(video: video, audio: audio, options: options)
    writer = try FLVWriter(
      sink, header: FLVHeader(hasAudio: !audio.isEmpty, hasVideo: !video.isEmpty))
  }

  /// The destination, with the bytes written so far.
  public var sink: Sink { writer.sink }

  public mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(let track, let format):
      guard placement.places[track] != nil else { return }
      if !hasBegun { try begin(at: .milliseconds(0)) }
      for tag in try placement.change(track, to: format, in: &packetizer) { try append(tag) }
    case .sample(let sample):
      guard let frame = try placement.frame(of: sample) else { return }
      if !hasBegun { try begin(at: sample.decodeTime) }
      let shown = sample.presentationTime.rounded(to: 1000) ?? 0
      for tag in try packetizer.add(frame) { try append(tag, shownAt: shown + packetizer.shift) }
      if isLive { try writer.passOn() }
    }
  }

  /// Writes the tags that end each stream; writes the header first if there was no sample.
  public mutating func finish() throws {
    if !hasBegun { try begin(at: .milliseconds(0)) }
    for tag in try packetizer.finish() { try append(tag) }
  }

  /// Returns `onMetaData` with the duration and the size of what was written, and the places of its key frames.
  public func measured(isIndexed: Bool = true) throws -> AMFMessage {
    try index.metadata(
      firstMetadata ?? AMFMessage(["onMetaData", .ecmaArray(AMFObject())]), isIndexed: isIndexed)
  }

  /// Milliseconds that are added to all times, so that none is below 0.
  public var shift: Int64 { packetizer.shift }

  private mutating func begin(at time: RationalTime) throws {
    hasBegun = true
    var tags = try packetizer.start(earliest: time)
    guard !tags.isEmpty else { return }
    var first = tags.removeFirst()
    firstMetadata = AMFMessage(first.head, at: 0, limits: Limits())
    if let metadata { first.head = try metadata.bytes() }
    try writer.append(first)
    for tag in tags { try append(tag) }
  }

  private mutating func append(_ tag: OutgoingTag, shownAt presentation: Int64? = nil)
    throws
  {
    index.add(tag, shownAt: tag.isSetup ? tag.time : presentation ?? tag.time)
    try writer.append(tag)
  }
}
