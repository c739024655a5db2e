// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Everything that a page shows about one file, as plain values: the reader of the file fills them, and the page is
/// drawn only from them.
public struct ReportContents: Sendable {
  /// The name of the file in commands.
  public var name: String
  /// The title of the file, without folders, because pages are sent to others.
  public var title: String { name.split(separator: "/").last.map(String.init) ?? name }
  /// The size of the file in bytes.
  public var size: Int
  /// The kind of file, found by its contents.
  public var kind: FileKind
  /// The summary, and the players that accept the file.
  public var verdict = ReportVerdict()
  /// The problems, the most severe first; at most 200.
  public var findings: [ReportFinding] = []
  /// The facts as lines of text, as printed by `apus info`.
  public var summary = ""
  /// The same facts separately, with their names in JSON.
  public var facts: [ReportFact] = []
  /// The map of the file's bytes.
  public var map = FileMap()
  /// The outermost structures of the tree.
  public var boxes: [ReportBox] = []
  /// The omissions of the tree and how to see them, one sentence each.
  public var omissions: [String] = []
  /// The samples of each track over time.
  public var timelines: [Timeline] = []
  /// Remarks on the times, such as samples that could not be read.
  public var timeNotes: [String] = []
  /// The items and their relations; `nil` for a file without items.
  public var items: ItemDrawing?
  /// Small pictures, if they were requested.
  public var pictures: [ReportPicture] = []
  /// The output of other verbs, which the page includes.
  public var documents: [ReportDocument] = []

  /// Adds the decoders of the tiles in each grid.
  ///
  /// - Parameter decoders: returns the decoders of a grid's tiles by their items, for the item of the grid.
  public mutating func addDecoders(_ decoders: (UInt32) -> [UInt32: ItemDrawing.Decoder]) {
    guard var drawing = items else { return }
    for grid in drawing.grids.indices {
      let known = decoders(drawing.grids[grid].item)
      for tile in drawing.grids[grid].tiles.indices {
        drawing.grids[grid].tiles[tile].decoder = known[drawing.grids[grid].tiles[tile].id]
      }
    }
    items = drawing
  }

  /// Creates contents without any facts.
  public init(name: String, size: Int, kind: FileKind) {
    self.name = name
    self.size = size
    self.kind = kind
  }
}

/// A summary of the file, and the players that accept it.
public struct ReportVerdict: Sendable {
  /// The description of the file in a sentence.
  public var sentence = ""
  /// The programs and services, with their answers.
  public var receivers: [Receiver] = []

  /// A program or service that may receive the file.
  public struct Receiver: Sendable {
    /// The extent to which a receiver accepts the file.
    public enum Answer: String, Sendable { case yes, partly, no, unknown }
    /// The name of the program or service.
    public var name: String
    /// The extent to which it accepts the file.
    public var answer: Answer
    /// The reason for the answer, as text.
    public var reason: String

    /// Creates the answer of one receiver.
    public init(_ name: String, _ answer: Answer, _ reason: String) {
      self.name = name
      self.answer = answer
      self.reason = reason
    }
  }

  /// Creates a verdict without a sentence.
  public init() {}
}

/// A problem, with everything that helps to fix it.
public struct ReportFinding: Sendable {
  /// The severity of the problem.
  public var severity: Finding.Severity
  /// The stable name of the violated rule.
  public var rule: String
  /// The clause of the standard with the requirement; `nil` if unknown.
  public var clause: String?
  /// The problem in words.
  public var message: String
  /// The fix, as text.
  public var fix: String?
  /// A command that fixes it; it was tried if that is cheap.
  public var command: String?
  /// The path of the box; empty for the whole file.
  public var path: String
  /// The offset in the file.
  public var offset: Int
  /// The affected box of the tree, if the page shows it.
  public var anchor: String?
  /// The tracks or items that are affected, as text; `nil` if unknown.
  public var users: String?

  /// Creates a problem from a finding, without a fix or command.
  public init(_ finding: Finding) {
    severity = finding.severity
    rule = finding.rule
    message = finding.message
    path = finding.path
    offset = finding.offset
  }
}

/// A fact with its name and meaning; or several that belong together.
public struct ReportFact: Sendable {
  /// The value of a fact: text, or further facts.
  public enum Value: Sendable {
    case text(String)
    case group([ReportFact])
    case list([[ReportFact]])
  }

  /// The name in JSON.
  public var name: String
  /// The meaning as a sentence.
  public var meaning: String
  /// The value, or the facts that belong together.
  public var value: Value
  /// The number of elements of a list that are not shown.
  public var omitted = 0

  /// Creates a fact.
  public init(_ name: String, _ meaning: String, _ value: Value) {
    self.name = name
    self.meaning = meaning
    self.value = value
  }
}

/// The output of another verb for the file.
public struct ReportDocument: Sendable {
  /// The verb: `info`.
  public var name: String
  /// The command that prints it.
  public var command: String
  /// The output as JSON.
  public var json: String

  /// Creates a document.
  public init(_ name: String, command: String, json: String) {
    self.name = name
    self.command = command
    self.json = json
  }
}

/// A small picture of something in the file.
public struct ReportPicture: Sendable {
  /// The title of the picture.
  public var title: String
  /// The picture as a JPEG file.
  public var jpeg: [UInt8]

  /// Creates a picture for the page.
  public init(_ title: String, jpeg: [UInt8]) {
    self.title = title
    self.jpeg = jpeg
  }
}
