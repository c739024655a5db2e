// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusFiles
public import ApusPresentations
public import ApusSamples
public import ApusTransport
public import RTMP

/// Options of an ingest server: which streams it accepts, and where it stores them.
public struct IngestOptions: Sendable {
  /// The place of recordings.
  public enum Place: Hashable, Sendable {
    case file(String)
    /// A file in this folder for each stream, with the name of the stream.
    case folder(String)
  }

  /// The app and keys that publishers and players must name; `nil` accepts any key within `app`.
  public var access: ServerConfiguration.Access?
  /// The app that clients must name; an empty one accepts any.
  public var app: String
  /// The known streams, with the keys for publishing and playing them; `nil` where there is no such list.
  public var keyring: StreamKeyring?
  /// Decides on each request that the keys allow.
  public var authorize: (@Sendable (IngestRequest) async -> IngestVerdict)?
  /// The limits on the number of clients and the duration of streams.
  public var admission = IngestAdmission()
  /// The place where recordings are stored.
  public var place: Place
  /// The container of recordings.
  public var target: RemuxTarget
  /// The policy for a recording whose name is taken.
  public var onExists = OnExists.rename
  /// The rules for splitting recordings into files and for keeping them.
  public var parts = RecordingParts()
  /// Called with each finished file, on its own thread; returns the error, if any.
  public var onFinished: (@Sendable (_ path: String, _ stream: String) -> String?)?
  /// Called for each client that no longer publishes or plays; returns the error, if any.
  public var onDone: (@Sendable (IngestRequest) async -> String?)?
  /// Returns the servers to which a stream of this name is forwarded.
  public var forwards: (@Sendable (_ stream: String) -> [ForwardTarget])?
  /// A folder in which each stream has a presentation for HTTP Live Streaming, in a folder with the name of the stream.
  public var presentations: String?
  /// The options of each presentation; used if `presentations` is set.
  public var presentation = LivePresentation.Options()
  /// Whether players wait for another process to continue a presentation when this one is stopped to be restarted.
  public var leavesPresentations = false
  /// Called on the loop's thread for each playlist of a track that was written.
  public var onPlaylist: (@Sendable (_ stream: String, PublishedPlaylist) -> Void)?
  /// Whether the server ends after the first stream.
  public var once = false
  /// The options of the listening socket and its connections.
  public var listener = ListenerOptions()

  /// Creates options that record each stream, for publishers of any key.
  public init(app: String, to place: Place, as target: RemuxTarget) {
    self.app = app
    self.place = place
    self.target = target
  }

  /// Returns the name of a stream: the one in the keyring, or its key if keys are not checked and thus not secret, or
  /// the app; `nil` if the keyring does not contain the key.
  func name(of request: ServerRequest) -> String? {
    if let keyring {
      let key = String(request.key.unmasked.prefix { $0 != "?" })
      return keyring.name(for: key, to: request.purpose)
    }
    return Self.plain(access == nil ? request.key.unmasked : String(Self.bare(request.app)))
  }

  /// Returns the name under which a stream is shown and its files are written: letters and digits of any script, dashes
  /// and underscores. A name with other characters, or a long one, ends with a hash that distinguishes it from similar
  /// ones.
  static func plain(_ whole: String) -> String {
    let wanted = whole.unicodeScalars.prefix { $0 != "?" }
    guard !wanted.isEmpty else { return "stream" }
    var name = String.UnicodeScalarView()
    for scalar in wanted { name.append(isPlain(scalar) ? scalar : "_") }
    // A file name beginning with a dash would be taken for an option.
    if name.first == "-" {
      name.replaceSubrange(..<name.index(after: name.startIndex), with: ["_"])
    }
    let original = String(String.UnicodeScalarView(wanted))
    guard !name.elementsEqual(wanted) || original.utf8.count > longestName else { return original }
    let hash = SHA256.digest(of: Array(original.utf8)).prefix(6)
    while name.reduce(0, { $0 + UTF8.width($1) }) > longestName - 13 { name.removeLast() }
    return "\(String(name))-\(hash.hexadecimal())"
  }

  /// In bytes: with a date, a number and an extension added, it has to be a valid file name.
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

  /// The names of the files of streams.
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

  /// Whether missing folders are created.
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
