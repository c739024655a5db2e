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
  public var size: Int
  public var kind: FileKind
  public var verdict = ReportVerdict()
  public var findings: [ReportFinding] = []
  /// The facts as lines of text, as printed by `apus info`.
  public var summary = ""
  /// The same facts separately, with their names in JSON.
  public var facts: [ReportFact] = []
  public var map = FileMap()
  public var boxes: [ReportBox] = []
  /// The omissions of the tree and how to see them, one sentence each.
  public var omissions: [String] = []
  public var timelines: [Timeline] = []
  /// Remarks on the times, such as samples that could not be read.
  public var timeNotes: [String] = []
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
  public var receivers: [Receiver] = []

  /// A program or service that may receive the file.
  public struct Receiver: Sendable {
    public enum Answer: String, Sendable { case yes, partly, no, unknown }
    public var name: String
    public var answer: Answer
    public var reason: String

    public init(_ name: String, _ answer: Answer, _ reason: String) {
      self.name = name
      self.answer = answer
      self.reason = reason
    }
  }

  public init() {}
}

/// A problem, with everything that helps to fix it.
public struct ReportFinding: Sendable {
  public var severity: Finding.Severity
  public var rule: String
  public var clause: String?
  public var message: String
  /// The fix, as text.
  public var fix: String?
  /// A command that fixes it; it was tried if that is cheap.
  public var command: String?
  public var path: String
  public var offset: Int
  /// The affected box of the tree, if the page shows it.
  public var anchor: String?
  public var users: String?

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
  public enum Value: Sendable {
    case text(String)
    case group([ReportFact])
    case list([[ReportFact]])
  }

  public var name: String
  public var meaning: String
  public var value: Value
  /// The number of elements of a list that are not shown.
  public var omitted = 0

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
  public var json: String

  public init(_ name: String, command: String, json: String) {
    self.name = name
    self.command = command
    self.json = json
  }
}

/// A small picture of something in the file.
public struct ReportPicture: Sendable {
  public var title: String
  public var jpeg: [UInt8]

  public init(_ title: String, jpeg: [UInt8]) {
    self.title = title
    self.jpeg = jpeg
  }
}
