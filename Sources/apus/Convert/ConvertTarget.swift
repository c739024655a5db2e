// SPDX-License-Identifier: MIT

import Files
import Stills

/// Where the outputs of a run go.
struct ConvertTarget: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// Into the folder of each photo.
    case beside
    case folder(String)
    case file(String)
    /// Standard output, or something else that cannot be taken back.
    case pipe(String)
  }

  let place: Place
  let name: OutputName
  let pathExtension: String

  /// Where the picture of an input goes.
  func path(_ role: PictureRole, of input: InputName) -> String {
    let fileName = lastName(of: input.path)
    switch place {
    case .pipe(let path): return path
    case .file(let path):
      if role == .primary { return path }
      let last = lastName(of: path)
      let ending = last.lastIndex(of: ".").map { String(last[$0...].dropFirst()) }
      guard let template = OutputName(ending == nil ? "{dir}/{stem}" : OutputName.standard) else {
        return path
      }
      return template.path(of: role, for: last, in: folder(of: path), extension: ending ?? "")
    case .folder(let folder):
      let inner = self.folder(of: input.relative)
      let whole = inner.isEmpty ? folder : folder + (folder.hasSuffix("/") ? "" : "/") + inner
      return name.path(of: role, for: fileName, in: whole, extension: pathExtension)
    case .beside:
      return name.path(
        of: role, for: fileName, in: folder(of: input.path), extension: pathExtension)
    }
  }

  /// Empty for the working folder.
  private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func lastName(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[$0...].dropFirst()) } ?? path
  }
}
