// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples

/// A destination for a stream that is not an RTMP server. It is used by one thread, except that another may call
/// `cancel`.
public protocol StreamSink: AnyObject, Sendable {
  /// The name used in reports; contains no secrets.
  var name: String { get }
  /// Returns what it cannot carry of these tracks, as text; throws if it can carry none.
  func losses(of tracks: [CodedTrack]) throws(MediaError) -> [String]
  /// Connects, or waits for a peer to connect.
  func open() throws
  /// Sends the samples of a source, to its end.
  func send(_ source: any SampleSource & Sendable) throws
  /// Makes the current call, and every later one, end with an error.
  func cancel()
}
