// SPDX-License-Identifier: MIT

public import ApusMedia

/// A query for encoders or decoders.
public struct CodecQuery: Hashable, Sendable {
  /// The way in which an encoder or decoder works.
  public enum Make: String, Hashable, Sendable, CaseIterable {
    case hardware, software
  }

  /// The kind: encoders or decoders.
  public var role = CodecFacts.Role.encoder
  /// The codecs by FFmpeg's names, in order of preference; empty for all.
  public var codecs = ["hevc", "h264", "av1", "aac"]
  /// The encoders or decoders by the libraries' names; empty for any.
  public var ids: Set<String> = []
  /// The size of pictures that an encoder must accept.
  public var size: (width: Int, height: Int)? {
    get { width.map { ($0, height ?? $0) } }
    set { (width, height) = (newValue?.width, newValue?.height) }
  }
  private var width: Int?
  private var height: Int?
  /// The only make that is accepted.
  public var required: Make?
  /// The make that comes first; the other follows.
  public var preferred: Make?
  /// Whether encoders that need a device, or must accept a size of pictures, are opened before they are listed, because
  /// libraries also list encoders that do not work.
  public var isTried = true

  /// Creates a query for all encoders of HEVC, H.264, AV1 and AAC.
  public init() {}
}
