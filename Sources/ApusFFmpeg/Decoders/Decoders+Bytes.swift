// SPDX-License-Identifier: MIT

public import ApusMedia

extension VideoDecoder {
  /// Adds one access unit.
  public func send(
    _ bytes: [UInt8], decodeTime: Int64, presentationTime: Int64, duration: Int64 = 0,
    isKey: Bool = false
  ) throws(MediaError) {
    try send(
      unsafe bytes.span.bytes, decodeTime: decodeTime, presentationTime: presentationTime,
      duration: duration, isKey: isKey)
  }
}

extension AudioDecoder {
  /// Adds one coded frame.
  public func send(_ bytes: [UInt8], presentationTime: Int64) throws(MediaError) {
    try send(unsafe bytes.span.bytes, presentationTime: presentationTime)
  }
}
