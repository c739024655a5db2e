// SPDX-License-Identifier: MIT

public import ApusBytes

/// The reason why media was not read, decoded, converted, sent or written. Parsers throw `SyntaxError`, and file
/// operations `FileError`; everything above them throws this type, to which a job converts the others.
public struct MediaError: Error, Hashable, Sendable, Codable {
  /// The class of a problem. Minor versions may add kinds, so a `switch` needs a `default`.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// The bytes end before their structure does.
    case truncated
    /// The bytes contradict the standard or themselves.
    case invalid
    /// The coded data violates the standard.
    case corrupt
    /// Part of the picture is missing.
    case incomplete
    /// The codec, one of its forms or a feature is not supported here or by the library.
    case unsupported
    /// A library that the job needs is not installed.
    case missing
    /// A named limit was reached.
    case limit
    /// There is not enough memory.
    case memory
    /// The result could not be written, or the input could not be read.
    case io
    /// The caller requested something impossible.
    case misuse
    /// The input contains nothing of what was requested.
    case nothing
    /// The caller ended the job.
    case cancelled
    /// The process that did the work crashed.
    case crash
  }

  /// The subject of the detail.
  public enum Subject: Hashable, Sendable, Codable {
    /// The input as a whole. The caller knows its name and can put that before the detail.
    case input
    /// A field, a track or a setting, by name.
    case part(String)
  }

  /// The class of the problem, by which a program can decide what to do.
  public var kind: Kind
  /// The subject; `nil` if the detail is a complete sentence.
  public var subject: Subject?
  /// The location in the input; `nil` if unknown.
  public var place: Place?
  /// The problem, as a phrase that follows the subject: in lower case, without a full stop.
  public var detail: String
  /// The action that a user can take.
  public var remedy: Remedy?
  private var cause = Cause()

  /// The error of another type that this one was converted from, such as a file error with its number. It does not
  /// take part in comparisons and is not encoded.
  public var underlying: (any Error)? { cause.error }

  private struct Cause: Hashable, Sendable {
    var error: (any Error)?

    static func == (a: Cause, b: Cause) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private enum CodingKeys: CodingKey { case kind, subject, place, detail, remedy }

  public init(
    _ kind: Kind, of subject: Subject? = nil, _ detail: String, at place: Place? = nil,
    remedy: Remedy? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.place = place
    self.detail = detail
    self.remedy = remedy
  }

  /// - Parameter time: the presentation time of the failed part, if known.
  public init(_ kind: Kind, _ detail: String, at time: RationalTime?) {
    self.init(kind, detail, at: time.map { .time($0) })
  }

  /// The error of a job for which the system has no thread.
  package static let noThread = MediaError(.limit, "no thread could be started")

  /// Converts an error of a parser with its location, and keeps it as `underlying`.
  public init(_ error: SyntaxError) {
    let kind: Kind =
      switch error.kind {
      case .truncated: .truncated
      case .invalid: .invalid
      case .unsupported: .unsupported
      case .limit: .limit
      case .io: .io
      case .misuse: .misuse
      }
    self.init(
      kind, of: error.field.isEmpty ? nil : .part(error.field), error.detail,
      at: error.path.isEmpty && error.offset == nil ? nil : .byte(error.offset, in: error.path))
    cause.error = error
  }

  /// Converts an error, and keeps it as `underlying`; one of this type is unchanged, and system errors become `io`.
  public init(_ error: any Error) {
    switch error {
    case let error as MediaError: self = error
    case let error as SyntaxError: self.init(error)
    case is CancellationError:
      self.init(.cancelled, "was cancelled")
      cause.error = error
    default:
      self.init(.io, "\(error)")
      cause.error = error
    }
  }

  /// Whether the bytes of the input contradict a standard, or end too soon.
  public var isDamage: Bool { [.truncated, .invalid, .corrupt, .incomplete].contains(kind) }
}

extension MediaError: CustomStringConvertible {
  /// A text such as `meta/iprp at byte 33: ispe needs 20 bytes, has 12`. The subject is omitted if it is the input.
  public var description: String {
    let place = place?.description ?? ""
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// The problem without its location.
  public var message: String {
    if case .part(let name) = subject { "\(name) \(detail)" } else { detail }
  }
}

extension MediaError {
  /// Returns the error with the name of a part before its message; the name must end with a blank.
  public func inside(_ part: String) -> MediaError {
    var error = self
    (error.subject, error.detail) = (nil, part + message)
    return error
  }

  /// Returns the error located at a time of the presentation, if known.
  public func at(_ time: RationalTime?) -> MediaError {
    var error = self
    if let time { error.place = .time(time) }
    return error
  }
}
