// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode
import Glibc

/// `apus codecs`: the encoders and decoders of this machine, and what can be set on them.
struct Codecs: Verb {
  static let name = "codecs"
  static let summary = "list the encoders and decoders of this machine, and what can be set on them"
  static let discussion = """
    A line for every encoder that is here, and below those the decoders: library and version, the bit depths \
    and forms of samples that it takes, its profiles. The name of one shows all that can be set on it, with \
    type, standard value and range, as its library tells it; --properties also what its library has for all.

    An encoder in hardware counts where it opens on its device, and not where a library merely knows its name. With \
    --size, --require and --prefer encoders are looked for: --prefer puts one make first and falls back to the \
    other, --require takes nothing else and ends with status 4 where there is none.

    --verify encodes something small in every form and profile that an encoder of HEVC, H.264, AV1 or AAC claims, \
    decodes it with another program, and prints what was claimed next to what was observed. It ends with status 1 if a \
    claim is not true; what could not be tried, and why, is listed separately.
    """
  static let examples = [
    Example("apus codecs", "Lists the encoders and decoders of HEVC, H.264, AV1 and AAC."),
    Example("apus codecs libx265", "Says what can be set on one."),
    Example("apus codecs --codec hevc --size 3840x2160 --require hardware", "Looks for one."),
    Example("apus codecs --verify --codec hevc", "Tries out what is claimed."),
  ]

  var ids: [String] = []
  var codec: String?
  var size: PictureSize?
  var require: CodecQuery.Make?
  var prefer: CodecQuery.Make?
  var properties = false
  var verify = false
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands(
      "CODEC", &ids, required: false, completion: .nothing,
      "say what can be set on this encoder or decoder")
    try v.option(
      "codec", "NAME", &codec, "these codecs, best first: hevc,h264,av1,aac; all with all")
    try v.option("size", "WxH", &size, "encoders that take pictures of that size")
    try v.option("require", "MAKE", &require, "encoders of no other make")
    try v.option("prefer", "MAKE", &prefer, "encoders of this make first")
    try v.flag("properties", &properties, "show all that can be set, those of the library too")
    try v.flag("verify", &verify, "encode, decode, and compare with what is claimed")
    try v.json(&json)
  }

  /// Whether an encoder is looked for, so that decoders do not matter.
  private var isLookup: Bool { size != nil || require != nil || prefer != nil }

  private func catalogue(_ role: CodecFacts.Role) -> CodecCatalogue {
    var query = CodecQuery()
    query.role = role
    query.ids = Set(ids)
    if let codec {
      query.codecs = codec == "all" ? [] : codec.split(separator: ",").map(String.init)
    } else if !ids.isEmpty {
      query.codecs = []
    }
    query.size = size.map { ($0.width, $0.height) }
    query.required = require
    query.preferred = prefer
    return CodecCatalogue(query)
  }

  func run(_ console: Console) throws -> ExitStatus {
    // SVT-AV1 says what it does on the error stream otherwise.
    unsafe setenv("SVT_LOG", "0", 0)
    let encoders = catalogue(.encoder)
    let decoders = isLookup ? nil : catalogue(.decoder)
    if encoders.codecs.isEmpty, decoders?.codecs.isEmpty ?? true {
      do throws(MediaError) {
        _ = try encoders.first()
      } catch {
        console.fail(error.message)
      }
      return require == nil ? .failed : .unavailable
    }
    let all = encoders.codecs + (decoders?.codecs ?? [])
    for id in ids where !all.contains(where: { $0.id == id }) {
      let reason = (encoders.refused + (decoders?.refused ?? [])).first { $0.id == id }?.reason
      console.fail("\(id) \(reason ?? "is no encoder or decoder here")")
    }
    if encoders.fellBack, let prefer {
      console.warn("there is no \(prefer.rawValue) encoder here; the others follow")
    }
    let verified = verify ? verified(encoders, decoders) : []
    return try show(encoders, decoders, verified, console)
  }

  /// Tries out all of them.
  private func verified(_ encoders: CodecCatalogue, _ decoders: CodecCatalogue?) -> [VerifiedCodec]
  {
    let tried = encoders.codecs.map {
      VerifiedCodec(
        role: .encoder, id: $0.id, verification: CodecVerification($0, size: encoders.query.size))
    }
    return tried
      + (decoders?.codecs ?? []).map { facts in
        // One that does what it claims, or the decoder is blamed for it.
        for (encoder, own) in zip(encoders.codecs, tried) where encoder.codec == facts.codec {
          guard let good = own.verification.trials.first(where: { $0.isTrue && $0.profile == nil })
          else { continue }
          return VerifiedCodec(
            role: .decoder, id: facts.id,
            verification: CodecVerification(facts, from: encoder, like: good))
        }
        return VerifiedCodec(
          role: .decoder, id: facts.id,
          verification: CodecVerification(without: .encoder, of: facts.codec))
      }
  }

  /// - Returns: failed where something is not as it was claimed.
  func show(
    _ encoders: CodecCatalogue, _ decoders: CodecCatalogue?, _ verified: [VerifiedCodec],
    _ console: Console
  ) throws -> ExitStatus {
    var output = ResultStream(console: console)
    if json {
      output.write(
        json: CodecsReport(
          encoders: encoders, decoders: decoders, verified: verified, showsCommon: properties))
    } else {
      let text = CodecsText(palette: Palette(console), width: console.width)
      if properties || !ids.isEmpty && !verify {
        text.properties(
          encoders.codecs + (decoders?.codecs ?? []), showsCommon: properties, to: &output)
      } else if !verify {
        text.table(encoders, to: &output)
        if let decoders { text.table(decoders, to: &output) }
      }
      for codec in verified { text.write(codec, to: &output) }
    }
    try output.check()
    let untrue = verified.filter { !$0.verification.isTrue }
    for codec in untrue {
      let count = codec.verification.trials.count { !$0.isTrue }
      console.fail("\(count) claims of the \(codec.role.rawValue) \(codec.id) are false")
    }
    return untrue.isEmpty ? .done : .failed
  }
}

extension CodecQuery.Make: ArgumentValue {}

/// Width and height on the command line.
struct PictureSize: ArgumentValue {
  let width: Int
  let height: Int

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...65535).contains(width), (1...65535).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  static var expected: String { "a size such as 1920x1080" }
  var argument: String { "\(width)x\(height)" }
}
