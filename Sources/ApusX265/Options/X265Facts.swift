// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusX265

/// The description of libx265 as an encoder.
public enum X265Facts {
  /// Returns the description. Bit depths, chroma and profiles are tested with the library; default values are those of
  /// its preset `medium`. It has no table of limits for its settings; they are those that it checks when opening an
  /// encoder.
  public static func encoder() throws(MediaError) -> CodecFacts {
    var samples: [CodecFacts.Samples] = []
    var found: LibX265?
    var refusal: MediaError?
    for depth in [8, 10, 12] {
      let library: LibX265
      do throws(MediaError) {
        library = try LibX265.load(bitDepth: depth)
      } catch {
        refusal = refusal ?? error
        continue
      }
      found = found ?? library
      for chroma in Chroma.allCases {
        let taken = unsafe Self.profiles(library.call, chroma)
        guard !taken.isEmpty else { continue }
        let profiles = taken.filter { Self.isMeant($0, for: chroma, depth) }
        samples.append(
          CodecFacts.Samples(
            name(chroma, depth), bitDepth: depth, chroma: chroma, profiles: profiles))
      }
    }
    guard let library = found else {
      throw refusal ?? MediaError(.missing, "libx265 is not there")
    }
    var facts = CodecFacts(
      .encoder, "libx265", codec: "hevc", .pictures, library: "libx265 \(library.version)")
    facts.purpose = "x265, an encoder of H.265"
    facts.samples = samples
    facts.profiles = names.filter { name in samples.contains { $0.profiles.contains(name) } }
    facts.options = try unsafe options(library.call)
    return facts
  }

  /// The names of profiles. `msp` is a synonym for one of them; those with 16 bits exist only as names, according to
  /// x265.h.
  private static var names: [String] {
    unsafe strings(apus_x265_names(0)).filter {
      $0 != "msp" && !$0.split(separator: "-").contains("16")
    }
  }

  /// Returns whether a profile is the narrowest for such samples: others accept them as well, and the stream then
  /// states this one.
  private static func isMeant(_ profile: String, for chroma: Chroma, _ depth: Int) -> Bool {
    var digits = profile.dropFirst("main".count).prefix { $0.isNumber || $0 == "-" }
    var form = Chroma.yuv420
    for other in [Chroma.yuv422, .yuv444] where digits.hasPrefix(other.name) {
      form = other
      digits = digits.dropFirst(other.name.count)
    }
    let bits = Int(digits.filter(\.isNumber)) ?? 8
    // There is none with 8 bits in 4:2:2.
    return form == chroma && (bits == depth || form == .yuv422 && bits == 10 && depth == 8)
  }

  private static func name(_ chroma: Chroma, _ depth: Int) -> String {
    let base = chroma == .monochrome ? "gray" : "yuv\(chroma.name)p"
    return depth == 8 ? base : "\(base)\(depth)le"
  }

  @unsafe static func strings(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    var result: [String] = []
    guard var next = unsafe list else { return [] }
    while let text = unsafe next.pointee {
      unsafe result.append(String(cString: text))
      unsafe next += 1
    }
    return result
  }

  /// Returns the profiles that the library accepts for such samples.
  @unsafe private static func profiles(_ call: apus_x265, _ chroma: Chroma) -> [String] {
    names.filter { name in
      guard let parameters = unsafe call.param_alloc() else { return false }
      defer { unsafe call.param_free(parameters) }
      guard unsafe call.param_default_preset(parameters, "medium", nil) == 0 else { return false }
      // The library would report rejected values on the error stream.
      unsafe parameters.pointee.logLevel = X265_LOG_NONE
      unsafe parameters.pointee.internalCsp = Int32(chroma.rawValue)
      return unsafe call.param_apply_profile(parameters, name) == 0
    }
  }

  @unsafe private static func options(_ call: apus_x265) throws(MediaError) -> [CodecOption] {
    guard let parameters = unsafe call.param_alloc(),
      unsafe call.param_default_preset(parameters, "medium", nil) == 0
    else { throw MediaError(.memory, "there is no memory for an encoder") }
    defer { unsafe call.param_free(parameters) }
    let words = unsafe [
      CodecOption("preset", .choice, standard: "medium", choices: strings(apus_x265_names(1))),
      CodecOption("tune", .choice, choices: strings(apus_x265_names(2))),
      CodecOption("profile", .choice, choices: names),
    ]
    return unsafe words + X265Options.all(parameters.pointee)
  }
}
