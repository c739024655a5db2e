// SPDX-License-Identifier: MIT

public import Media

/// A source from which a run takes the items of its stream.
public protocol ItemSource: AnyObject {
  /// Removes and returns all items available.
  func take() -> [StreamItem]
  /// The result of the stream, once all of it has been taken.
  var end: SourceEnd? { get }
  /// Ends the taking of items.
  func cancel()
}

/// The way in which a source ended.
public enum SourceEnd: Hashable, Sendable {
  case complete
  case failed(MediaError)
}
