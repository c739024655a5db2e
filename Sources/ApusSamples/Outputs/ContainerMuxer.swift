// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// A container written by a library: samples go in, pieces of the file come out.
public protocol ContainerMuxer: AnyObject {
  /// Adds a sample, in decoding order, with its payload in the form of the container.
  func add(_ sample: CodedSample) throws
  /// Ends the container.
  func finish() throws
  /// Returns the pieces written since the last call, in order, with their offsets. Pieces that begin before the end of
  /// the file so far replace what was there.
  func takePieces() throws -> [(offset: Int, bytes: [UInt8])]
  /// The shift that was added to all times, because the container cannot store times below 0.
  var shift: RationalTime { get }
}
