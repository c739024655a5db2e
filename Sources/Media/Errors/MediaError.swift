// SPDX-License-Identifier: MIT

public import Bytes

/// Why media was not read, decoded, converted, sent or written. Parsers throw `SyntaxError`, what touches files throws
/// `FileError`; everything above them throws this, and a job that ends turns the others into it.
public struct MediaError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The bytes end before their structure does.
    case truncated
    /// The bytes contradict the standard or themselves.
    case invalid
    /// The coded data contradict the standard.
    case corrupt
    /// Part of the picture is not there.
    case incomplete
    /// The codec, a form of it or a feature is not known here or not supported by the library.
    case unsupported
    /// A library that the job needs is not installed.
    case missing
    /// A named limit was reached.
    case limit
    /// There is not enough memory.
    case memory
    /// The result could not be written or the input not be read.
    case io
    /// The caller asked for what cannot be.
    case misuse
    /// There is nothing in the input of what was asked for.
    case nothing
    /// The caller ended the job.
    case cancelled
    /// The process that did the work ended by a fault.
    case crash
  }

  /// What the detail is said of.
  public enum Subject: Hashable, Sendable {
    /// The input as a whole. The caller knows its name and can put it before the detail.
    case input
    /// A field, a track or a setting by its name.
    case part(String)
  }

  public var kind: Kind
  /// This is `nil` where the detail is a whole sentence.
  public var subject: Subject?
  public var place: Place?
  /// What is wrong, as it follows the subject: lower case, without a full stop.
  public var detail: String
  /// What a person can do about it.
  public var remedy: Remedy?

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

  /// - Parameter time: when what failed is shown, as far as that is known.
  public init(_ kind: Kind, _ detail: String, at time: RationalTime?) {
    self.init(kind, detail, at: time.map { .time($0) })
  }

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
  }

  /// The same error where it is one already; what the system refused is of the kind `io`.
  public init(_ error: any Error) {
    switch error {
    case let error as MediaError: self = error
    case let error as SyntaxError: self.init(error)
    default: self.init(.io, "\(error)")
    }
  }

  /// Whether the bytes of the input contradict a standard, or end too soon.
  public var isDamage: Bool { [.truncated, .invalid, .corrupt, .incomplete].contains(kind) }
}

extension MediaError: CustomStringConvertible {
  /// `meta/iprp at byte 33: ispe needs 20 bytes, has 12`. The subject is left out where it is the input.
  public var description: String {
    let place = place?.description ?? ""
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// The problem without its place.
  public var message: String {
    if case .part(let name) = subject { "\(name) \(detail)" } else { detail }
  }
}

extension MediaError {
  /// The same, with a part named before the message; the name ends with a blank.
  public func inside(_ part: String) -> MediaError {
    var error = self
    (error.subject, error.detail) = (nil, part + message)
    return error
  }

  /// The same, which happened at this time of the presentation, as far as that is known.
  public func at(_ time: RationalTime?) -> MediaError {
    var error = self
    if let time { error.place = .time(time) }
    return error
  }
}
