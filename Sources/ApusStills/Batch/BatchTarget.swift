// SPDX-License-Identifier: MIT

public import ApusFiles

/// The destination of the outputs of a batch.
public struct BatchTarget: Hashable, Sendable {
  /// The kind of place that receives the outputs, with its path.
  public enum Place: Hashable, Sendable {
    /// The folder of each photo.
    case beside
    case folder(String)
    case file(String)
    /// Standard output, or another destination that cannot be undone.
    case pipe(String)
  }

  /// The folder, file or pipe that receives the outputs.
  public let place: Place
  /// The template for the names of outputs that the place does not name.
  public let name: OutputName
  /// The file name extension of outputs, without the dot.
  public let pathExtension: String

  /// Whether the names of outputs come from the template.
  public var isTemplate: Bool {
    switch place {
    case .beside, .folder: true
    case .file, .pipe: false
    }
  }

  /// The output folder; `nil` if outputs go elsewhere.
  public var folder: String? { if case .folder(let folder) = place { folder } else { nil } }

  /// Returns the path of the picture of an input.
  ///
  /// - Parameters:
  ///   - fields: the values of further placeholders in the output's name.
  ///   - own: the output's extension; `nil` for that of the batch.
  public func path(
    _ role: PictureRole, of input: InputName, _ fields: NameFields = NameFields(),
    extension own: String? = nil
  ) -> String {
    let pathExtension = own ?? self.pathExtension
    let fileName = lastName(of: input.path)
    switch place {
    case .pipe(let path): return path
    case .file(let path):
      if role == .primary { return path }
      let last = lastName(of: path)
      let ending = last.pathExtension
      if case .part(_, let own) = role {
        // Files that only describe a part are written next to it.
        guard own == "json" || own == "hvcc" else { return path }
        return OutputName()?.path(
          of: .part("", extension: own), for: last, in: folder(of: path), extension: own) ?? path
      }
      if case .video(let own) = role {
        return OutputName()?.path(of: role, for: last, in: folder(of: path), extension: own) ?? path
      }
      guard let template = OutputName(ending.isEmpty ? "{dir}/{stem}" : OutputName.standard) else {
        return path
      }
      return template.path(of: role, for: last, in: folder(of: path), extension: ending)
    case .folder(let folder):
      let inner = self.folder(of: input.relative)
      let whole = inner.isEmpty ? folder : folder + (folder.endsWithSlash ? "" : "/") + inner
      return name.path(
        of: role, for: fileName, in: whole, extension: pathExtension, parent: parent(of: input),
        fields: fields)
    case .beside:
      return name.path(
        of: role, for: fileName, in: folder(of: input.path), extension: pathExtension,
        parent: parent(of: input), fields: fields)
    }
  }

  /// Returns the path of a picture of an item.
  package func path(_ role: PictureRole, of item: BatchItem) -> String {
    path(role, of: item.name, item.fields, extension: item.decision?.pathExtension)
  }

  /// Returns the name of the folder that contains an input, regardless of the path used to reach it.
  private func parent(of input: InputName) -> String {
    lastName(of: folder(of: FileSystem.absolutePath(input.path)))
  }

  /// Returns the folder part of a path; empty for the working folder.
  private func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func lastName(of path: String) -> String { String(path.lastName) }
}
