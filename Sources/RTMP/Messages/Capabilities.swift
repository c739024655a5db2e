// SPDX-License-Identifier: MIT

internal import FLV

/// The capabilities of a side beyond plain RTMP, in the command object of `connect` and its answer: Enhanced RTMP v2,
/// "Enhancing NetConnection connect Command".
public struct Capabilities: Hashable, Sendable {
  /// The capabilities of a side for a codec.
  public struct Codec: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Frames can be decoded.
    public static let decode = Codec(rawValue: 1)
    /// Frames can be encoded.
    public static let encode = Codec(rawValue: 2)
    /// Frames can be forwarded unchanged.
    public static let forward = Codec(rawValue: 4)
  }

  /// The functions that `capsEx` announces.
  public struct Extras: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Requests to reconnect elsewhere are understood.
    public static let reconnect = Extras(rawValue: 1)
    /// Packets may contain several tracks.
    public static let multitrack = Extras(rawValue: 2)
    /// Modifiers before packets are understood.
    public static let modEx = Extras(rawValue: 4)
    /// Presentation times may have nanoseconds.
    public static let nanoseconds = Extras(rawValue: 8)
  }

  /// The functions that `videoFunction` announces.
  public struct VideoFunction: OptionSet, Hashable, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The client can seek to any frame.
    public static let seek = VideoFunction(rawValue: 1)
    /// Pictures of high dynamic range can be shown.
    public static let hdr = VideoFunction(rawValue: 2)
    /// Packets with metadata are understood.
    public static let metadata = VideoFunction(rawValue: 4)
    /// Large-scale tiles of AV1 are understood.
    public static let largeScaleTile = VideoFunction(rawValue: 8)
  }

  /// The video codecs by four-character code, or `*` for every codec.
  public var video: [String: Codec] = [:]
  /// The audio codecs by four-character code, or `*` for every codec.
  public var audio: [String: Codec] = [:]
  /// The codecs of `fourCcList` in the first version, which does not specify what is possible with a codec.
  public var codecs: [String] = []
  /// The functions announced by `capsEx`.
  public var extras: Extras = []
  /// The functions announced by `videoFunction`.
  public var videoFunction: VideoFunction = []

  /// Creates capabilities that announce nothing.
  public init() {}

  /// The capabilities of a publisher of HEVC.
  public static let publisher: Capabilities = {
    var own = Capabilities()
    own.codecs = ["hvc1"]
    own.video = ["hvc1": [.encode]]
    own.audio = ["*": [.encode]]
    own.extras = [.reconnect, .multitrack, .modEx, .nanoseconds]
    own.videoFunction = [.hdr, .metadata]
    return own
  }()

  /// The capabilities of a receiver that stores whatever comes.
  public static let receiver: Capabilities = {
    var own = Capabilities()
    own.codecs = ["*"]
    own.video = ["hvc1": [.decode, .forward], "*": [.forward]]
    own.audio = ["*": [.forward]]
    own.extras = [.reconnect, .multitrack, .modEx, .nanoseconds]
    own.videoFunction = [.hdr, .metadata]
    return own
  }()

  /// Returns whether the peer listed the codec, by itself or with all others.
  public func takesVideo(_ codec: String) -> Bool {
    video[codec] != nil || video["*"] != nil || codecs.contains(codec) || codecs.contains("*")
  }
}

extension Capabilities {
  /// Reads them from the first of several objects that has any; `nil` if none has. Then nothing is known, because
  /// servers that accept enhanced video often declare nothing.
  init?(_ objects: [AMFValue]) {
    var found = false
    for members in objects.compactMap(\.members) {
      if let list = members["fourCcList"]?.values {
        codecs = list.compactMap(\.text).prefix(64).map { $0 }
        found = true
      }
      if let map = members["videoFourCcInfoMap"]?.members {
        video = Self.codecs(map)
        found = true
      }
      if let map = members["audioFourCcInfoMap"]?.members {
        audio = Self.codecs(map)
        found = true
      }
      if let value = members["capsEx"]?.integer {
        extras = Extras(rawValue: UInt32(truncatingIfNeeded: value))
        found = true
      }
      if let value = members["videoFunction"]?.integer {
        videoFunction = VideoFunction(rawValue: UInt32(truncatingIfNeeded: value))
        found = true
      }
    }
    if !found { return nil }
  }

  private static func codecs(_ map: AMFObject) -> [String: Codec] {
    map.members.prefix(64).reduce(into: [:]) { codecs, member in
      codecs[member.name.description] = Codec(
        rawValue: UInt32(truncatingIfNeeded: member.value.integer ?? 0))
    }
  }

  var members: [(String, AMFValue)] {
    [
      ("fourCcList", .strictArray(codecs.map { .text($0) })),
      ("videoFourCcInfoMap", Self.object(video)),
      ("audioFourCcInfoMap", Self.object(audio)),
      ("capsEx", .number(Double(extras.rawValue))),
      ("videoFunction", .number(Double(videoFunction.rawValue))),
    ]
  }

  private static func object(_ codecs: [String: Codec]) -> AMFValue {
    .object(codecs.sorted { $0.key > $1.key }.map { ($0.key, .number(Double($0.value.rawValue))) })
  }
}
