// SPDX-License-Identifier: MIT

public import ApusBytes

/// A requirement for files.
public struct FLVRule: Hashable, Sendable {
  /// A stable name in kebab case.
  public var id: String
  /// The severity of a violation.
  public var severity: Finding.Severity
  /// The severities of less harmful violations; the worst first.
  public var milder: [Finding.Severity]
  /// The requirement, in a sentence.
  public var demand: String

  init(
    _ id: String, _ severity: Finding.Severity, or milder: [Finding.Severity] = [],
    _ demand: String
  ) {
    self.id = id
    self.severity = severity
    self.milder = milder
    self.demand = demand
  }

  /// Every rule, in the order in which findings are shown.
  public static let all: [FLVRule] = [
    truncated, junk, tagSize, encrypted, unreadable, headerFlags, dialectMixed, dialectLegacy,
    codecID, configMissing, configUnreadable, configChanged, configRepeated, configSets, configPPS,
    configSignature, audioConfigMissing, audioADTS, timeFalls, timeWraps, timeGap, avGap, avEnds,
    compositionNegative, frameType, frameLengths, firstKey, keyInterval, bitRate,
    metadataMissing, metadataDuration, metadataSize, index, colours, colourFrameType, manyTracks,
  ]

  static let truncated = FLVRule("truncated", .error, "the file ends after a whole tag")
  static let junk = FLVRule("junk", .error, "every byte belongs to a tag")
  static let tagSize = FLVRule(
    "tag-size", .warning, "the size after each tag is that of the tag")
  static let encrypted = FLVRule("encrypted", .error, "tags are not encrypted")
  static let unreadable = FLVRule(
    "tag-unreadable", .error, or: [.warning], "every tag can be read to its end")
  static let headerFlags = FLVRule(
    "header-flags", .warning, "the file header says whether there are pictures and sound")
  static let dialectMixed = FLVRule(
    "dialect-mixed", .error, "HEVC is in one dialect from the first tag to the last")
  static let dialectLegacy = FLVRule(
    "dialect-legacy", .note,
    "HEVC is in Enhanced RTMP's form; codec id 12 is only supported by Chinese networks and a few players"
  )
  static let codecID = FLVRule(
    "codec-id", .warning, "videocodecid and audiocodecid in onMetaData are those of the tags")
  static let configMissing = FLVRule(
    "config-missing", .error, "a configuration comes before the first frame")
  static let configUnreadable = FLVRule(
    "config-unreadable", .error, "the configuration is a record that can be read")
  static let configChanged = FLVRule(
    "config-changed", .warning, "the configuration stays the same; many receivers keep the first")
  static let configRepeated = FLVRule(
    "config-repeated", .note,
    "the configuration is not repeated; some servers begin a new segment at each")
  static let configSets = FLVRule(
    "config-sets", .error, "parameter sets in frames are those of the configuration")
  static let configPPS = FLVRule(
    "config-pps", .warning, "the record has one set of each kind; MediaMTX refuses others")
  static let configSignature = FLVRule(
    "config-signature", .note, "the record holds no user data, such as an encoder's settings")
  static let audioConfigMissing = FLVRule(
    "audio-config-missing", .error, "an AAC configuration comes before the first AAC frame")
  static let audioADTS = FLVRule("audio-adts", .error, "AAC frames have no ADTS header")
  static let timeFalls = FLVRule("time-falls", .error, "decoding times do not go back in a track")
  static let timeWraps = FLVRule(
    "time-wraps", .warning, "timestamps use all of their 32 bits, and do not wrap at 24 or 31")
  static let timeGap = FLVRule("time-gap", .warning, "frames follow each other without a gap")
  static let avGap = FLVRule(
    "av-gap", .warning, "video and audio of the same time are close together in the file")
  static let avEnds = FLVRule(
    "av-ends", .note, "pictures and sound begin and end together")
  static let compositionNegative = FLVRule(
    "composition-negative", .warning,
    "no picture is shown before it is decoded; some receivers read the offset without its sign")
  static let frameType = FLVRule(
    "frame-type", .warning, "tags marked as key frames, and no others, hold random access pictures")
  static let frameLengths = FLVRule(
    "frame-lengths", .error, "the lengths of the NAL units add up to the frame")
  static let firstKey = FLVRule(
    "first-key", .warning, "the first picture is one that a decoder can start at")
  static let keyInterval = FLVRule(
    "key-interval", .warning, or: [.note],
    "key frames come at least every 4 s, as YouTube asks, better every 2 s")
  static let bitRate = FLVRule(
    "bit-rate", .warning, "the bit rate of video is below 51 Mbit/s, the maximum of YouTube")
  static let metadataMissing = FLVRule("metadata-missing", .note, "there is an onMetaData")
  static let metadataDuration = FLVRule(
    "metadata-duration", .note, "onMetaData has the duration of the file")
  static let metadataSize = FLVRule(
    "metadata-size", .warning, "width and height in onMetaData are those of the pictures")
  static let index = FLVRule(
    "index", .warning, "the key frame index in onMetaData points at video tags")
  static let colours = FLVRule(
    "colour-info", .note, "video with HDR or other uncommon colours has colorInfo")
  static let colourFrameType = FLVRule(
    "colour-frame-type", .warning,
    "colorInfo is in a command frame; FFmpeg decodes any other as a picture")
  static let manyTracks = FLVRule(
    "many-tracks", .note, "a packet holds one track; FFmpeg plays no others")
}
