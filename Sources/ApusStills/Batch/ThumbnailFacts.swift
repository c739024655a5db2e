// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import Glibc

/// The facts about a photo that its thumbnail carries: Thumbnail Managing Standard 0.9, freedesktop.org.
struct ThumbnailFacts {
  let path: String
  let file: FileIdentity

  var texts: [(keyword: String, text: String)] {
    [
      ("Thumb::URI", "file://" + Self.escaped(FileSystem.absolutePath(path))),
      ("Thumb::MTime", String(file.times.modification.tv_sec)),
      ("Thumb::Size", String(file.size)),
    ]
  }

  /// Returns a path in the form used in a URI: RFC 3986, 3.3.
  private static func escaped(_ path: String) -> String {
    FileName.bytes(of: path).percentEncoded(allowing: "/!$&'()*+,;=:@")
  }
}
