// SPDX-License-Identifier: MIT

/// What a run takes the items of its stream from.
public protocol EntrySource: AnyObject {
  /// All that is there.
  func take() -> [SampleFeed.Entry]
  /// Nothing more is taken.
  func cancel()
}
