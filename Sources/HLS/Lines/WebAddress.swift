// SPDX-License-Identifier: MIT

/// Addresses in the web, as playlists name them.
public enum WebAddress {
  /// Returns whether a text is such an address.
  public static func isOne(_ text: some StringProtocol) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  /// Returns the address that a playlist at another address names: RFC 3986, 5.2.
  static func resolved(_ reference: Substring, in base: String) -> String {
    let reference = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
    if isOne(Substring(reference)) { return String(Substring(reference)) }
    let base = base.utf8.prefix { $0 != UInt8(ascii: "#") }
    let scheme = base.prefix { $0 != UInt8(ascii: ":") }
    if reference.starts(with: "//".utf8) {
      return String(Substring(scheme)) + ":" + String(Substring(reference))
    }
    let host = base.dropFirst(scheme.count + 3).prefix { !"/?".utf8.contains($0) }
    let origin = String(Substring(base[..<host.endIndex]))
    let path = base[host.endIndex...].prefix { $0 != UInt8(ascii: "?") }
    let place = reference.prefix { $0 != UInt8(ascii: "?") }
    let query = String(Substring(reference[place.endIndex...]))
    guard !place.isEmpty else { return origin + String(Substring(path)) + query }
    let slash = UInt8(ascii: "/")
    var parts: [Substring.UTF8View] = []
    let isAbsolute = place.first == slash
    let folder = isAbsolute ? [] : path.split(separator: slash, omittingEmptySubsequences: false)
    let names = place.split(separator: slash, omittingEmptySubsequences: false)
    let all = folder.dropFirst().dropLast() + names.dropFirst(isAbsolute ? 1 : 0)
    for (index, part) in all.enumerated() {
      switch Substring(part) {
      case ".": if index == all.count - 1 { parts.append(Substring().utf8) }
      case "..":
        _ = parts.popLast()
        if index == all.count - 1 { parts.append(Substring().utf8) }
      default: parts.append(part)
      }
    }
    return origin + "/" + parts.map { String(Substring($0)) }.joined(separator: "/") + query
  }
}
