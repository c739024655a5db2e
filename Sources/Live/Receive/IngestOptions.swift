// SPDX-License-Identifier: MIT

internal import Bytes
public import Files
public import Flow
public import Presentations
public import RTMP
public import Transport

/// What an ingest server takes, and where it puts it.
public struct IngestOptions: Sendable {
  public enum Place: Hashable, Sendable {
    case file(String)
    /// A file in this folder for each stream, called like the stream.
    case folder(String)
  }

  /// What publishers and players must name; `nil` takes any key within `app`.
  public var access: ServerConfiguration.Access?
  /// The app that clients must name; an empty one takes any.
  public var app: String
  /// The streams that are known, with the keys of those who publish and play them; `nil` where there is no such list.
  public var keyring: StreamKeyring?
  /// Asked about each request that the keys allow; it answers on any thread, once.
  public var authorize:
    (@Sendable (IngestRequest, _ answer: @escaping @Sendable (IngestVerdict) -> Void) -> Void)?
  public var admission = IngestAdmission()
  public var place: Place
  public var target: RemuxTarget
  public var onExists = OnExists.rename
  public var parts = RecordingParts()
  /// Called with each finished file, on its own thread; returns the error, if any.
  public var onFinished: (@Sendable (_ path: String, _ stream: String) -> String?)?
  /// Called for each client that publishes or plays no more; calls its second argument when that is done, with what went wrong.
  public var onDone: (@Sendable (IngestRequest, @escaping @Sendable (String?) -> Void) -> Void)?
  /// The servers that a stream of this name is passed on to while it comes.
  public var forwards: (@Sendable (_ stream: String) -> [ForwardTarget])?
  /// A folder in which each stream has a presentation for HTTP Live Streaming, in a folder that is called like the stream.
  public var presentations: String?
  public var presentation = LivePresentation.Options()
  /// Whether players wait for another process to go on with a presentation when this one is ended to be started again.
  public var leavesPresentations = false
  /// Called on the loop's thread for each playlist of a presentation that was written.
  public var onPlaylist: (@Sendable (_ stream: String, PublishedPlaylist) -> Void)?
  /// Whether the first stream is the last.
  public var once = false
  public var listener = ListenerOptions()

  public init(app: String, to place: Place, as target: RemuxTarget) {
    self.app = app
    self.place = place
    self.target = target
  }

  /// What a stream is called: what the keyring calls it, else its key where keys are free and thus no secret, else the app;
  /// `nil` where the keyring does not know the key.
  func name(of request: ServerRequest) -> String? {
    if let keyring {
      let key = String(request.key.unmasked.prefix { $0 != "?" })
      return keyring.name(for: key, to: request.purpose)
    }
    return Self.plain(access == nil ? request.key.unmasked : String(Self.bare(request.app)))
  }

  /// Returns the name under which a stream is shown and its files are written: letters and digits of any script, dashes and
  /// underscores. A name that holds others, or is too long, ends with a hash that tells it apart from similar ones.
  static func plain(_ whole: String) -> String {
    let wanted = whole.unicodeScalars.prefix { $0 != "?" }
    guard !wanted.isEmpty else { return "stream" }
    var name = String.UnicodeScalarView()
    for scalar in wanted { name.append(isPlain(scalar) ? scalar : "_") }
    // A file whose name begins with a dash would be taken for an option.
    if name.first == "-" {
      name.replaceSubrange(..<name.index(after: name.startIndex), with: ["_"])
    }
    let original = String(String.UnicodeScalarView(wanted))
    guard !name.elementsEqual(wanted) || original.utf8.count > longestName else { return original }
    let hash = SHA256.digest(of: Array(original.utf8)).prefix(6).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    while name.reduce(0, { $0 + UTF8.width($1) }) > longestName - 13 { name.removeLast() }
    return "\(String(name))-\(hash.joined())"
  }

  /// In bytes: with a date, a number and an extension it is the name of a file.
  private static let longestName = 100

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "-" || scalar == "_" { return true }
    let properties = scalar.properties
    guard !properties.isDefaultIgnorableCodePoint else { return false }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  /// What the files of streams are called.
  var name: RecordingName {
    let name =
      switch place {
      case .file(let path): RecordingName(path)
      case .folder(let folder):
        RecordingName(
          "\(folder.hasSuffix("/") ? folder : folder + "/"){key}.\(target.pathExtension)")
      }
    return parts.areWanted ? name.counting : name
  }

  /// Whether folders that are missing are made.
  var makesFolders: Bool {
    if case .folder = place { true } else { name.isTemplate }
  }

  func allows(_ request: ServerRequest) -> Bool {
    access != nil || app.isEmpty || Self.bare(request.app) == Self.bare(app)
  }

  private static func bare(_ app: String) -> Substring {
    var app = app.prefix { $0 != "?" }.drop { $0 == "/" }
    while app.last == "/" { app.removeLast() }
    return app
  }
}
