// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusMedia
import ApusReport

/// `apus report`: makes an HTML page about a file.
struct ReportVerb: Verb {
  static let name = "report"
  static let summary =
    "make an HTML page with the structure and problems of a file"
  static let discussion = """
    Writes one self-contained HTML file that needs no network. It begins with a verdict: what the file is, \
    which players accept it, what is wrong with it, and the commands that fix it. Then come the facts, a map \
    of the file to scale, charts of pictures, audio and gaps over time, the items of a photo with the bytes \
    and the decoder of each tile, and the complete structure, with links between fields and their bytes.

    With two files the page shows their differences. Media data are shown only as headers; --with-media adds \
    thumbnails of a photo and its parts. Long tables are shortened, and the page says where.

    The whole page is readable without scripts. The same file always gives the same page, bit for bit.
    """
  static let examples = [
    Example("apus report photo.heic -o photo.html", "Makes a page about a photo."),
    Example("apus report --web movie.mp4", "Opens the page in a browser."),
    Example("apus report movie.mp4 -o - > movie.html", "Writes the page to standard output."),
    Example(
      "apus report before.mp4 after.mp4 -o changes.html", "Shows the differences of two files."),
    Example(
      "apus report --with-media photo.heic -o photo.html", "Adds thumbnails to the page."),
  ]

  var files: [String] = []
  var withMedia = false
  var web = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands("FILE", &files, "a file, or two to compare; - is standard input")
    try v.flag("with-media", &withMedia, "add thumbnails of a photo and its parts")
    try v.flag(
      "web", &web, excludes: ["output"],
      """
      open the page in a browser, from a temporary file
      The browser is $BROWSER or xdg-open
      """)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard files.count < 3 else {
      throw UsageError("a page shows one or two files, not \(files.count)")
    }
    var inputs: [Input] = []
    let options = InputOptions(naming: files)
    try options.opened(console, limits.limits, for: output).each { inputs.append($0) }
    guard inputs.count == files.count, let first = inputs.first else { return .failed }
    let pages = ReportPages(limits: limits.limits, withMedia: withMedia)
    if web {
      guard let page = try pages.bytes(of: inputs, console) else { return .failed }
      try ReportBrowser().open(page, named: first.name, console)
      return .done
    }
    let path = try target(for: first)
    if output.dryRun {
      console.note("\(path): would be written")
      return .done
    }
    guard let target = try output.begin(path, for: first) else {
      console.noteExisting(path)
      return .nothingToDo
    }
    guard let page = try pages.bytes(of: inputs, console) else { return .failed }
    try target.writer.append(page.span)
    console.detail("\(try target.commit()): \(target.writer.count) bytes written")
    return .done
  }

  /// The path of the page; in a folder it is named after the file.
  private func target(for input: Input) throws(UsageError) -> String {
    let path = try output.target(for: input, several: false)
    return output.isFolder ? path + ".html" : path
  }
}
