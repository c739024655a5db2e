// SPDX-License-Identifier: MIT

import Bytes
import Facts
import Files
import Media
import Report

/// `apus report`: a page to look at.
struct ReportVerb: Verb {
  static let name = "report"
  static let summary =
    "make a page for a browser that shows what is in a file and what is wrong with it"
  static let discussion = """
    Writes one HTML file that needs no network and nothing else: it can be mailed, and opened anywhere. It begins \
    with a verdict: what the file is, who takes it, what is wrong with it, and the commands that mend that. Then \
    come the facts, a map of the file to scale, drawings of pictures and sound in time and of what a recording misses, \
    the items of a photo with the bytes and the decoder of each tile, and the whole structure: each field leads to its \
    bits, and each byte to its field.

    With two files the page says in what they differ. Of media data only headers are shown; --with-media adds small \
    pictures of a photo and what it holds. Long tables are shown in part, and the page says where.

    Everything on the page can be read where scripts do not run. The same file gives the same page, bit for bit.
    """
  static let examples = [
    Example("apus report photo.heic -o photo.html", "Makes a page of a photo."),
    Example("apus report --web movie.mp4", "Opens the page in a browser."),
    Example("apus report movie.mp4 -o - > movie.html", "Writes the page to standard output."),
    Example(
      "apus report before.mp4 after.mp4 -o changes.html", "Says in what two files differ."),
    Example(
      "apus report --with-media photo.heic -o photo.html", "Shows small pictures on the page, too."),
  ]

  var files: [String] = []
  var withMedia = false
  var web = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands("FILE", &files, "a file, or two that are compared; - is standard input")
    try v.flag("with-media", &withMedia, "show small pictures of what a photo holds")
    try v.flag(
      "web", &web,
      """
      open the page in a browser, from a temporary file
      The browser is $BROWSER or xdg-open
      """)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard files.count < 3 else {
      throw UsageError("a page shows one file or two, here are \(files.count)")
    }
    var inputs: [Input] = []
    let options = InputOptions(naming: files)
    try options.opened(console, limits.limits, for: output).each { inputs.append($0) }
    guard inputs.count == files.count, let first = inputs.first else { return .failed }
    let pages = ReportPages(limits: limits.limits, withMedia: withMedia)
    if web {
      guard output.path == nil else { throw UsageError("--web writes a temporary file, not OUT") }
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

  /// Where the page goes; in a folder it is called after the file.
  private func target(for input: Input) throws(UsageError) -> String {
    let path = try output.target(for: input, several: false)
    return output.isFolder ? path + ".html" : path
  }
}
