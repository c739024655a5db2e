// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A destination for samples: it gets the tracks when it is made, then each event, then the end.
public protocol SampleOutput: ~Copyable {
  /// Adds the next event of a source.
  mutating func add(_ event: SourceEvent) throws

  /// Writes what can only be written at the end. Without this call, the output is not meant to be kept.
  mutating func finish() throws
}
