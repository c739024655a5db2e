// SPDX-License-Identifier: MIT

import ApusFiles

/// Opens a page in the user's browser.
struct ReportBrowser {
  /// Writes the page to a new temporary folder, and opens it. The file is not removed, because a browser may read it
  /// again.
  func open(_ page: [UInt8], named name: String, _ console: Console) throws {
    let base = name.lastName
    let path = try FileSystem.makeTemporaryFolder() + "/\(base == "-" ? "input" : base).html"
    guard let target = try FileOutput(path) else { return }
    try target.writer.append(page.span)
    _ = try target.commit()
    let browser = Terminal.environment("BROWSER") ?? "xdg-open"
    console.note("the page is \(path)")
    if let failure = OtherProgram(path: browser).run([path]) { console.fail(failure) }
  }
}
