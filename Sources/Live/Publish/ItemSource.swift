// SPDX-License-Identifier: MIT

public import Media

/// Where a run takes the items of its stream from.
public protocol ItemSource: AnyObject {
  /// All that is there.
  func take() -> [StreamItem]
  /// How the stream ended, once all of it has been taken.
  var end: SourceEnd? { get }
  /// Nothing more is taken.
  func cancel()
}

/// How a source ended.
public enum SourceEnd: Hashable, Sendable {
  case complete
  case failed(MediaError)
}
