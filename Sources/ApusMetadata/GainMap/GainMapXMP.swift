// SPDX-License-Identifier: MIT

public import ApusMedia

/// The parameters in the XMP of a gain map, from Adobe's `hdrgm` properties and Apple's.
public struct GainMapXMP: Sendable {
  /// The parameters in Adobe's properties; `nil` if a required one is missing or cannot be read.
  public private(set) var adobe: GainMapParameters?
  /// The headroom in Apple's property, as a linear factor.
  public private(set) var appleHeadroom: Double?
  /// The reason why `adobe` is `nil` although its properties are present.
  public private(set) var problem: String?

  /// Reads the parameters of a packet; those that cannot be read are `nil`.
  public init(_ packet: [UInt8]) {
    guard let packet = XMPEncoding.utf8(packet) else { return }
    do throws(XMLError) {
      let properties = Properties(try XMPEditor(packet))
      appleHeadroom = properties.number(XMPNamespace.appleGainMap, "HDRGainMapHeadroom")
      if properties.has(XMPNamespace.gainMap, "Version") { readAdobe(properties) }
    } catch {
      problem = "the XMP of the gain map is invalid (\(error))"
    }
  }

  private mutating func readAdobe(_ properties: Properties) {
    func values(_ name: String, _ usual: Double?) -> [Double]? {
      guard properties.has(XMPNamespace.gainMap, name) else { return usual.map { [$0] } }
      return properties.numbers(XMPNamespace.gainMap, name)
    }
    guard let minima = values("GainMapMin", 0), let maxima = values("GainMapMax", nil),
      let gammas = values("Gamma", 1), let sdr = values("OffsetSDR", 1.0 / 64),
      let hdr = values("OffsetHDR", 1.0 / 64),
      let low = values("HDRCapacityMin", 0)?.first, let high = values("HDRCapacityMax", nil)?.first
    else {
      problem = "the XMP of the gain map lacks required hdrgm numbers"
      return
    }
    let lists = [minima, maxima, gammas, sdr, hdr]
    let count = lists.map(\.count).max() ?? 1
    guard count == 1 || count == 3, lists.allSatisfy({ $0.count == 1 || $0.count == count }) else {
      problem = "the XMP of the gain map has \(count) numbers instead of one or three"
      return
    }
    func pick(_ list: [Double], _ index: Int) -> Double { list.count == 1 ? list[0] : list[index] }
    let isHDRBase = properties.text(XMPNamespace.gainMap, "BaseRenditionIsHDR") == "True"
    // The names refer to SDR and HDR, not to base and alternate.
    let channels = (0..<count).map { index in
      GainMapParameters.Channel(
        minimum: pick(minima, index), maximum: pick(maxima, index), gamma: pick(gammas, index),
        baseOffset: pick(isHDRBase ? hdr : sdr, index),
        alternateOffset: pick(isHDRBase ? sdr : hdr, index))
    }
    let parameters = GainMapParameters(
      channels: channels, baseHeadroom: isHDRBase ? high : low,
      alternateHeadroom: isHDRBase ? low : high)
    let all = lists.flatMap(\.self) + [low, high]
    guard all.allSatisfy({ $0.isFinite && $0.magnitude <= GainMapParameters.limit }),
      low >= 0, high > low,
      channels.allSatisfy({ $0.gamma > 0 && $0.maximum >= $0.minimum })
    else {
      problem = "the XMP of the gain map has impossible numbers"
      return
    }
    adobe = parameters
  }
}

/// The simple properties and lists of a packet, in either syntax.
private struct Properties {
  private var found: [XMLDocument.Name: [String]] = [:]

  init(_ editor: XMPEditor) {
    let document = editor.document
    for node in editor.nodes {
      for attribute in document.elements[node].attributes {
        found[attribute.name] = [document.text(attribute.value)]
      }
      for child in document.children(of: node) {
        let leaves = ([child] + document.descendants(of: child)).filter {
          document.elements[$0].isLeaf
        }
        found[document.elements[child].name] = leaves.compactMap {
          document.elements[$0].content.map(document.text)
        }
      }
    }
  }

  func has(_ namespace: String, _ local: String) -> Bool {
    found[XMLDocument.Name(namespace: namespace, local: local)] != nil
  }

  func text(_ namespace: String, _ local: String) -> String? {
    found[XMLDocument.Name(namespace: namespace, local: local)]?.first.map(Self.trimmed)
  }

  func number(_ namespace: String, _ local: String) -> Double? {
    text(namespace, local).flatMap(Double.init)
  }

  /// Returns the numbers of a property; `nil` if there are none, or one is not a number.
  func numbers(_ namespace: String, _ local: String) -> [Double]? {
    let texts = found[XMLDocument.Name(namespace: namespace, local: local)] ?? []
    let numbers = texts.compactMap { Double(Self.trimmed($0)) }
    return numbers.isEmpty || numbers.count != texts.count ? nil : numbers
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (byte: UInt8) in XMLScanner.isBlank(byte) }
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
