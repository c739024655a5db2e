// SPDX-License-Identifier: MIT

internal import Bytes
public import Media

/// A container on its way out of a library: samples in, pieces of the file out.
public protocol ContainerMuxer: AnyObject {
  /// Takes a sample with its payload in the form of the container, in the order of decoding.
  func add(_ sample: CodedSample) throws
  /// Ends the container.
  func finish() throws
  /// Hands over what was written since the last call, in its order: bytes and where they belong. Those before the end
  /// of what came so far replace what was there.
  func takePieces() throws -> [(offset: Int, bytes: [UInt8])]
  /// What all times were moved by, for the container can say none below 0.
  var shift: RationalTime { get }
}
