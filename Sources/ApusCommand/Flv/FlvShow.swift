// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import FLV

/// `apus flv show`: lists the tags of a file.
struct FlvShow: Verb {
  static let name = "flv show"
  static let summary = "list the tags of an FLV file"
  static let discussion = """
    Lists every tag with its offset, timestamp, size and content, in the legacy form and in that of Enhanced RTMP, and \
    the members of onMetaData. Timestamps continue where they wrap. Key frames are detected from their NAL units; if the \
    tag disagrees, its value is shown too.
    """
  static let examples = [
    Example("apus flv show recording.flv", "Lists the tags."),
    Example("apus flv show --first 20 recording.flv", "Lists the first 20 tags."),
    Example(
      "apus flv show --json recording.flv | jq '.elements[].time'",
      "Prints the timestamps of the tags."),
  ]

  var inputs = InputOptions()
  var first: UInt?
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option("first", "N", &first, "list only the first N tags of each file")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let output = ResultStream(console: console)
    var shown = 0
    try inputs.opened(console, limits.limits).each { input in
      try input.checkFLV()
      var lister = try TagLister(input.source, limits: limits.limits)
      lister.most = first.map { Int(clamping: $0) } ?? .max
      shown += 1
      if json {
        var writer = JSONWriter(output)
        try FlvJSON().write(
          &lister, file: input.name, size: input.source.count, to: &writer, check: output.check)
      } else {
        try show(&lister, of: input, output, console)
      }
    }
    return shown > 0 ? .done : .nothingToDo
  }

  private func show(
    _ lister: inout TagLister, of input: Input, _ output: ResultStream, _ console: Console
  ) throws {
    let text = FlvText(palette: Palette(console))
    output.write("\(input.name.printable): \(text.headline(lister.header))\n")
    while let element = try lister.next() {
      switch element {
      case .tag(let listing):
        output.write(text.line(listing) + "\n")
        for line in listing.script.map(text.lines) ?? [] { output.write(line + "\n") }
      case .other(let element):
        if let line = text.line(element) { output.write("        \(line)\n") }
      }
      try output.check()
    }
  }
}
