// SPDX-License-Identifier: MIT

public import Flow
public import Media

/// A way of a stream to somewhere that is no RTMP server. One thread uses it; `cancel` alone is called by another.
public protocol StreamSink: AnyObject, Sendable {
  /// What reports call it; holds nothing secret.
  var name: String { get }
  /// What it cannot carry of these tracks, as text; throws where that is all of them.
  func losses(of tracks: [CodedTrack]) throws(MediaError) -> [String]
  /// Connects, or waits for a peer that does.
  func open() throws
  /// Sends what a source gives, to its end.
  func send(_ source: any SampleSource & Sendable) throws
  /// Lets the call that runs now, and every later one, end with an error.
  func cancel()
}
