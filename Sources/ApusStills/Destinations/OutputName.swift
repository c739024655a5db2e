// SPDX-License-Identifier: MIT

internal import ApusFiles

/// The paths of the outputs of a file, as a template with folder, name and format.
public struct OutputName: Hashable, Sendable {
  /// The template that stores outputs under the name of the input in the output folder.
  public static let standard = "{dir}/{stem}.{ext}"
  /// The placeholders of a template without their braces, for use in help and messages.
  public static let fields = [
    "dir", "stem", "ext", "parent", "date", "date:%Y-%m-%d", "camera", "n", "n:4",
  ]

  /// A text or a placeholder.
  private enum Element: Hashable, Sendable {
    case text(String)
    case dir, stem, ext, parent, camera
    /// A date formatted with a pattern.
    case date(String)
    /// A number with at least this many digits.
    case number(Int)

    /// Creates a placeholder; `nil` if it is unknown.
    init?(field: Substring) {
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      switch (parts[0], parts.dropFirst().first) {
      case ("dir", nil): self = .dir
      case ("stem", nil): self = .stem
      case ("ext", nil): self = .ext
      case ("parent", nil): self = .parent
      case ("camera", nil): self = .camera
      case ("date", nil): self = .date("%Y-%m-%d")
      case ("date", let pattern?):
        guard CalendarTime.isPattern(pattern) else { return nil }
        self = .date(String(pattern))
      case ("n", nil): self = .number(1)
      case ("n", let width?):
        guard let width = Int(width), (1...18).contains(width) else { return nil }
        self = .number(width)
      default: return nil
      }
    }
  }

  private var parts: [Element] = []

  /// The name of the input in the output folder, equivalent to `standard`.
  public static let usual = OutputName(parts: [.dir, .text("/"), .stem, .text("."), .ext])

  private init(parts: [Element]) { self.parts = parts }

  /// Reads a template; `nil` if it contains an unknown placeholder or an unmatched brace, or has neither `{stem}` nor
  /// `{n}`, without which several photos would get the same output.
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
      guard let field = Element(field: rest[..<end].dropFirst()) else { return nil }
      parts.append(field)
      rest = rest[end...].dropFirst()
    }
    guard isNumbered || parts.contains(.stem) else { return nil }
  }

  /// Whether the template needs more than the name of a photo.
  public var needsFields: Bool { needsOrigin || isNumbered }

  /// Whether the template needs the position of a photo in its run.
  var isNumbered: Bool { parts.contains { if case .number = $0 { true } else { false } } }

  /// Whether the template needs the Exif of a photo.
  public var needsOrigin: Bool {
    parts.contains { part in
      if case .date = part { true } else { part == .camera }
    }
  }

  /// Whether the template begins at the root, or contains the output folder.
  private var namesFolder: Bool {
    if case .text(let text) = parts.first, text.utf8.first == UInt8(ascii: "/") { return true }
    return parts.contains(.dir)
  }

  /// Returns the path for one picture. A template that contains no folder is relative to the output folder.
  ///
  /// - Parameters:
  ///   - input: the name of the photo's file, without its folder.
  ///   - folder: the output folder; empty for the working folder.
  ///   - parent: the name of the folder that contains the photo.
  ///   - fields: the values that do not follow from the name.
  public func path(
    of role: PictureRole, for input: String, in folder: String, extension ext: String,
    parent: String = "", fields: NameFields = NameFields()
  ) -> String {
    var path = ""
    if !namesFolder, !folder.isEmpty { path = folder + (folder.endsWithSlash ? "" : "/") }
    // The suffix that distinguishes the outputs of one photo follows the number that distinguishes outputs of several
    // photos.
    var suffix = role.suffix
    for part in parts {
      switch part {
      case .text(let text):
        // Without a folder the path must not begin at the root.
        path +=
          path.isEmpty && folder.isEmpty && parts.first == .dir
            && text.utf8.first == UInt8(ascii: "/")
          ? String(text.dropFirst()) : text
      case .dir: path += folder.endsWithSlash ? String(folder.dropLast()) : folder
      case .stem:
        path += input.withoutExtension + suffix
        suffix = ""
      case .number(let width):
        path += CalendarTime.padded(fields.number, width)
        if !parts.contains(.stem) {
          path += suffix
          suffix = ""
        }
      case .parent: path += Self.inName(parent)
      case .camera: path += Self.inName(fields.camera ?? "")
      case .date(let pattern): path += fields.date?.text(pattern) ?? Self.unknown
      case .ext:
        let ending = role.pathExtension ?? ext
        // A name without an extension stays without one, and without a dot.
        if ending.isEmpty, path.hasSuffix(".") { path.removeLast() } else { path += ending }
      }
    }
    return path
  }

  /// The text for a placeholder whose value is unknown.
  private static let unknown = "unknown"

  /// Returns a text as part of a file name, so that it neither leads to another folder nor hides the file.
  private static func inName(_ text: String) -> String {
    let characters = text.unicodeScalars.map { scalar in
      scalar == "/" || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : String(scalar)
    }
    let blanks = characters.drop { $0 == " " || $0 == "." }.reversed().drop { $0 == " " }
    let name = blanks.reversed().joined()
    return name.isEmpty ? unknown : name
  }
}
