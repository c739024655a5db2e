// SPDX-License-Identifier: MIT

public import Media

/// Which encoders or decoders are asked for.
public struct CodecQuery: Hashable, Sendable {
  public enum Make: String, Hashable, Sendable, CaseIterable {
    case hardware, software
  }

  public var role = CodecFacts.Role.encoder
  /// By FFmpeg's names, those that are liked best first; empty for all.
  public var codecs = ["hevc", "h264", "av1", "aac"]
  /// By the libraries' names; empty for any.
  public var ids: Set<String> = []
  /// Of pictures that an encoder must take.
  public var size: (width: Int, height: Int)? {
    get { width.map { ($0, height ?? $0) } }
    set { (width, height) = (newValue?.width, newValue?.height) }
  }
  private var width: Int?
  private var height: Int?
  /// There are no others where this is set.
  public var required: Make?
  /// These come first; the others follow.
  public var preferred: Make?
  /// Whether encoders that need a device, or that must take pictures of some size, are opened before they are named:
  /// what a library claims to have is not always there.
  public var isTried = true

  public init() {}
}
