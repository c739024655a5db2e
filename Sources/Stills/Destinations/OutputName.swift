// SPDX-License-Identifier: MIT

internal import Files

/// The paths of the outputs of a file, as a template over folder, name and format.
public struct OutputName: Hashable, Sendable {
  public static let standard = "{dir}/{stem}.{ext}"
  public static let fields = ["dir", "stem", "ext"]

  /// Text and fields in order.
  private enum Element: Hashable, Sendable {
    case text(String)
    case dir, stem, ext
  }

  private var parts: [Element] = []

  /// Reads a template; `nil` where it names an unknown field, holds a brace without its other half, or has no `{stem}`,
  /// without which all outputs would be one.
  public init?(_ template: String = standard) {
    var rest = Substring(template)
    while !rest.isEmpty {
      let text = rest.prefix { $0 != "{" && $0 != "}" }
      if !text.isEmpty { parts.append(.text(String(text))) }
      rest = rest.dropFirst(text.count)
      guard rest.first == "{" else {
        if rest.isEmpty { break }
        return nil
      }
      guard let end = rest.firstIndex(of: "}") else { return nil }
      switch rest[..<end].dropFirst() {
      case "dir": parts.append(.dir)
      case "stem": parts.append(.stem)
      case "ext": parts.append(.ext)
      default: return nil
      }
      rest = rest[end...].dropFirst()
    }
    guard parts.contains(.stem) else { return nil }
  }

  /// The path for one picture.
  ///
  /// - Parameters:
  ///   - input: the name of the photo's file, without its folder.
  ///   - folder: where the outputs go; empty for the working folder.
  public func path(
    of role: PictureRole, for input: String, in folder: String, extension ext: String
  ) -> String {
    var path = ""
    for part in parts {
      switch part {
      case .text(let text):
        // Without a folder the path must not begin at the root.
        path +=
          path.isEmpty && folder.isEmpty && parts.first == .dir
            && text.utf8.first == UInt8(ascii: "/")
          ? String(text.dropFirst()) : text
      case .dir: path += folder.endsWithSlash ? String(folder.dropLast()) : folder
      case .stem: path += Self.stem(of: input) + role.suffix
      case .ext:
        let ending = role.pathExtension ?? ext
        // A name without an ending gets none, and no dot for it.
        if ending.isEmpty, path.hasSuffix(".") { path.removeLast() } else { path += ending }
      }
    }
    return path
  }

  /// A name without its last extension; a hidden file keeps the dot that it begins with.
  private static func stem(of name: String) -> Substring {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name[...] }
    return name[..<dot]
  }
}
