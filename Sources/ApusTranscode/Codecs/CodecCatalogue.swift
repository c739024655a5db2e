// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia
internal import ApusX265

/// The encoders or decoders of this machine that fit a query, best first.
public struct CodecCatalogue: Sendable {
  /// An encoder or decoder that a library has, but that does not fit the query.
  public struct Refusal: Hashable, Sendable {
    /// The library's name of the encoder or decoder, such as `hevc_vaapi`.
    public var id: String
    /// The reason, worded to follow its name.
    public var reason: String
  }

  /// The query that the encoders or decoders fit.
  public let query: CodecQuery
  /// The encoders or decoders that can be used, best first.
  public private(set) var codecs: [CodecFacts] = []
  /// The encoders or decoders of the requested codecs that cannot be used here.
  public private(set) var refused: [Refusal] = []
  /// Whether there is none of the preferred make.
  public private(set) var fellBack = false

  /// Lists the encoders or decoders of this machine; may open some of them to see whether they work
  /// (`CodecQuery.isTried`).
  public init(_ query: CodecQuery = CodecQuery()) {
    self.query = query
    var devices: [String: DeviceNodes] = [:]
    for facts in found() {
      guard fits(facts) else { continue }
      if let reason = refusal(of: facts, &devices) {
        refused.append(Refusal(id: facts.id, reason: reason))
      } else {
        codecs.append(facts)
      }
    }
    sort()
  }

  /// Returns the best one.
  ///
  /// - Throws: `.missing` if there is none, with the reasons.
  public func first() throws(MediaError) -> CodecFacts {
    if let first = codecs.first { return first }
    let make = query.required.map { "\($0.rawValue) " } ?? ""
    let names = query.codecs.isEmpty ? "" : " of \(query.codecs.joined(separator: " or "))"
    let reasons = refused.map { "\($0.id) \($0.reason)" }.joined(separator: "; ")
    throw MediaError(
      .missing,
      "there is no \(make)\(query.role.rawValue)\(names) here"
        + (reasons.isEmpty ? "" : ": \(reasons)"))
  }

  /// Returns everything that the libraries offer for the requested codecs.
  private mutating func found() -> [CodecFacts] {
    var found: [CodecFacts] = []
    let isForHEVC = query.codecs.isEmpty || query.codecs.contains("hevc")
    if query.role == .encoder, isForHEVC, query.ids.isEmpty || query.ids.contains("libx265") {
      do throws(MediaError) {
        found.append(try X265Facts.encoder())
      } catch {
        refused.append(Refusal(id: "libx265", reason: "cannot be used: \(error.message)"))
      }
    }
    do throws(MediaError) {
      let wanted = query.codecs.isEmpty ? nil : Set(query.codecs)
      // libavcodec's wrapper of libx265 is not used.
      found += try CodecList().codecs(query.role, of: wanted, named: query.ids)
        .filter { $0.role == .decoder || $0.id != "libx265" }
    } catch {
      refused.append(Refusal(id: "libavcodec", reason: "cannot be used: \(error.message)"))
    }
    if query.role == .decoder, isForHEVC, query.ids.isEmpty || query.ids.contains("libde265") {
      do throws(MediaError) {
        found.append(try De265Trial.facts())
      } catch {
        refused.append(Refusal(id: "libde265", reason: "cannot be used: \(error.message)"))
      }
    }
    return found
  }

  private func fits(_ facts: CodecFacts) -> Bool {
    if let make = query.required, facts.isHardware != (make == .hardware) { return false }
    return query.size == nil || facts.medium == .pictures
  }

  private mutating func sort() {
    let order = query.codecs.isEmpty ? Set(codecs.map(\.codec)).sorted() : query.codecs
    codecs = order.flatMap { codec in codecs.filter { $0.codec == codec } }
    guard let preferred = query.preferred else { return }
    let isFirst = { (facts: CodecFacts) in facts.isHardware == (preferred == .hardware) }
    fellBack = !codecs.contains(where: isFirst)
    codecs = codecs.filter(isFirst) + codecs.filter { !isFirst($0) }
  }

  /// Returns the reason why an encoder or decoder cannot be used; `nil` if it can.
  private func refusal(of facts: CodecFacts, _ devices: inout [String: DeviceNodes]) -> String? {
    if !facts.device.isEmpty {
      let nodes = devices[facts.device] ?? DeviceNodes(facts.device)
      devices[facts.device] = nodes
      if let reason = nodes.refusal { return "finds no \(facts.device) device (\(reason))" }
    }
    if facts.isExperimental { return "is experimental" }
    // Software codecs need no device; hardware decoders accept a configuration before they look for a device.
    guard query.isTried, facts.role == .encoder, facts.isHardware || query.size != nil else {
      return facts.isHardware && facts.device.isEmpty ? "is not tried without a stream" : nil
    }
    do throws(MediaError) {
      if let nodes = devices[facts.device] {
        try nodes.open(facts, size: query.size)
      } else {
        try TrialEncoder.open(facts, size: query.size)
      }
      return nil
    } catch {
      return "does not open: \(error.message)"
    }
  }
}
