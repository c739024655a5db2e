// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import HEVC

/// A track on its way into a container of a library: its samples in the form that the container requires.
struct MuxedTrack: Sendable {
  private let track: CodedTrack
  /// The maker of a byte stream, where the container holds one.
  private var stream: ByteStreamMaker?
  /// The current format of the samples, if it differs from the one announced by the container.
  private var inBand: InBandFormat?
  /// Whether it has layers above the base, for which the container has no decoder configuration.
  private let isLayered: Bool

  init(_ track: CodedTrack, in target: RemuxTarget) throws {
    var base = track
    isLayered = UpperLayers.exist(in: track)
    if isLayered { base.details.sampleEntries = [] }
    self.track = base
    switch track.format {
    case .hevc, .avc: if target == .ts { stream = try ByteStreamMaker(base) }
    case .aac, .other: break
    }
  }

  /// Switches to another format for the samples that follow.
  mutating func change(to format: CodedTrack.Format) throws {
    if stream != nil {
      try stream?.change(to: format)
      return
    }
    inBand = try InBandFormat(format, lengthSize: track.format.lengthSize)
    guard inBand != nil, format.codec == track.format.codec else {
      throw MediaError(
        .unsupported, of: .part(track.name),
        "changes its format; within this container only HEVC stays HEVC, and AVC stays "
          + "AVC, with new parameter sets; start a new file")
    }
  }

  mutating func payload(of sample: CodedSample) throws -> Extent {
    var sample = sample
    if isLayered {
      sample.payload = try UpperLayers.removed(
        from: sample.payload, lengthSize: track.format.lengthSize)
    }
    if let bytes = try stream?.bytes(of: sample) { return Extent(bytes) }
    return try inBand?.written(sample.payload, isSync: sample.isSync) ?? sample.payload
  }
}
