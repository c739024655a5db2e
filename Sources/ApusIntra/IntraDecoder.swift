// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
package import ApusThreads
internal import HEVC

/// A decoder of intra HEVC pictures, such as photos.
///
/// It keeps its memory from picture to picture; tiles of one size cost no allocation. For an unsupported picture it
/// throws an error that names the feature (`MediaError.Kind.unsupported`), before the first sample is decoded. Damage
/// is never concealed: every coding tree block must be present, every slice must end with its data, and samples must
/// match the hash if the stream has one.
public final class IntraDecoder: SalvagingDecoder, SharingDecoder {
  /// The name in reports, without a version because the decoder is built in.
  public let name = "intra"
  /// Whether damaged pictures are decoded, which is left to other decoders.
  public let isSalvaging = false
  /// The workers that may take part in large pictures.
  package var idleWorkers: (any IdleWorkers)?
  /// The number of luma samples from which it is worth waking other workers.
  var leastShared = 1 << 17
  /// The use of coding tools in the last picture.
  public private(set) var usage = ToolUsage()
  /// Whether the rows of the last picture were decoded in parallel.
  private(set) var hasSharedRows = false
  /// The number of rows of the last picture that another thread filtered during reading.
  private(set) var relayedRows = 0

  private let narrow = PictureAssembly<UInt8>()
  private lazy var wide = PictureAssembly<UInt16>()
  private var configuration: Configuration?
  private(set) var known: Known?

  /// The contents of a configuration record.
  private struct Configuration {
    var bytes: [UInt8]
    var lengthSize: Int
    var sets: ParameterSets
    /// The error of a parameter set in it that could not be read.
    var unreadable: SyntaxError?
  }

  /// Parameters, with the sets they were derived from.
  struct Known {
    var parameters: CodingParameters
    var sps: SequenceParameterSet
    var pps: PictureParameterSet
    var limit: Int
  }

  public init() {}

  /// Decodes a picture. Throws `unsupported` if `isStrict` is `false`, because damage is never concealed.
  public func attempt(
    _ picture: CodedPicture, isStrict: Bool,
    _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard isStrict else { throw MediaError(codedWith: "damage") }
    let (sample, parameters) = try read(picture)
    let isLarge = parameters.width * parameters.height >= leastShared
    let workers = isLarge && parameters.layout.rows > 1 ? idleWorkers : nil
    if parameters.bitDepth == 8 {
      defer { noteSharing(of: narrow) }
      try unsafe narrow.decode(sample, parameters, with: workers, body)
    } else {
      defer { noteSharing(of: wide) }
      try unsafe wide.decode(sample, parameters, with: workers, body)
    }
  }

  private func noteSharing<Sample>(of assembly: PictureAssembly<Sample>) {
    usage = assembly.usage
    (hasSharedRows, relayedRows) = (assembly.hasSharedRows, assembly.relayedRows)
  }

  /// Returns the error with which a picture would be refused without reading its slice data: an unsupported feature, or
  /// headers that violate the standard.
  public func refusal(of picture: CodedPicture) -> MediaError? {
    do throws(MediaError) {
      _ = try read(picture)
      return nil
    } catch {
      return error
    }
  }

  private func read(_ picture: CodedPicture) throws(MediaError)
    -> (CodedSample, CodingParameters)
  {
    guard picture.codec == .hevc else {
      throw MediaError(.unsupported, "\(picture.codec.name) is not decoded by intra")
    }
    guard picture.samples.count == 1, let bytes = picture.samples.first else {
      throw MediaError(codedWith: "prediction from other pictures")
    }
    let configuration = try configuration(of: picture)
    let sample = try CodedSample(
      bytes, lengthSize: configuration.lengthSize, configuration.sets,
      unreadable: configuration.unreadable)
    return (sample, try parameters(sample, limit: picture.pixelLimit))
  }

  private func configuration(of picture: CodedPicture) throws(MediaError) -> Configuration {
    if let configuration, configuration.bytes == picture.configuration { return configuration }
    do throws(SyntaxError) {
      let record = try DecoderConfigurationRecord(picture.configuration)
      var sets = ParameterSets()
      var unreadable: SyntaxError?
      for unit in record.arrays.flatMap(\.nalUnits) {
        guard let header = NALUnitHeader(of: unit), header.nuhLayerID == 0 else { continue }
        try header.checkTemporalID()
        if !sets.add(nalUnit: unit) { unreadable = unreadable ?? ParameterSets.failure(of: unit) }
      }
      let made = Configuration(
        bytes: picture.configuration, lengthSize: record.lengthSize, sets: sets,
        unreadable: unreadable)
      configuration = made
      return made
    } catch {
      throw MediaError(.corrupt, "the configuration record is refused: \(error)")
    }
  }

  private func parameters(_ sample: CodedSample, limit: Int) throws(MediaError)
    -> CodingParameters
  {
    if let known, known.limit == limit, known.sps == sample.sps, known.pps == sample.pps {
      return known.parameters
    }
    let made = try CodingParameters(sample.sps, sample.pps, pixelLimit: limit)
    known = Known(parameters: made, sps: sample.sps, pps: sample.pps, limit: limit)
    return made
  }
}
