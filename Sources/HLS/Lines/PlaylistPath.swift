// SPDX-License-Identifier: MIT

public import ApusBytes

/// Names in playlists as paths with `/` between folders: RFC 3986, 5.2, applied to a file system. Names in a playlist at an
/// address in the web are such addresses.
public enum PlaylistPath {
  /// Returns the path of `name` in the playlist `base`, both relative to the same folder; a leading `..` or `/` leads
  /// out of it. Both are addresses if `base` is one.
  public static func resolved(_ name: String, in base: String) throws(SyntaxError) -> String {
    var name = name[...]
    if WebAddress.isOne(base) {
      guard WebAddress.isOne(name) || scheme(of: name) == nil else {
        throw refusal(name, "is no address in the web")
      }
      guard !name.isEmpty else { throw refusal(name, "names no file") }
      return WebAddress.resolved(name, in: base)
    }
    if name.lowercased().hasPrefix("file:///") { name = name.dropFirst("file://".count) }
    guard scheme(of: name) == nil, !name.hasPrefix("//") else {
      throw refusal(
        name,
        "is on the network, where only addresses that you name are read; download it with its playlist"
      )
    }
    guard let path = name.prefix(while: { $0 != "?" && $0 != "#" }).percentDecoded() else {
      throw refusal(name, "is not UTF-8")
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw refusal(name, "names no file") }
    guard !path.hasPrefix("/") else { return path }
    var parts: [Substring] = []
    for part in base.split(separator: "/").dropLast() + path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        if let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
      default: parts.append(part)
      }
    }
    return (base.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// Returns whether a path leads out of the folder to which it is relative.
  public static func leaves(_ path: String) -> Bool {
    path.hasPrefix("/") || path == ".." || path.hasPrefix("../")
  }

  private static func scheme(of name: Substring) -> Substring? {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = name[..<colon]
    let isScheme = scheme.utf8.allSatisfy {
      (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0)
        || [0x2b, 0x2d, 0x2e].contains($0)
    }
    // A single letter is a drive on other systems, and a name here.
    return isScheme && scheme.utf8.count > 1 ? scheme : nil
  }

  private static func refusal(_ name: Substring, _ detail: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "\(name)", detail: detail)
  }
}
