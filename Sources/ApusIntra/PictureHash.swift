// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Compares samples with the hash in the stream: ITU-T H.265, D.3.19.
@unsafe struct PictureHash<Sample: FixedWidthInteger & UnsignedInteger> {
  private let hash: DecodedPictureHash
  private let parameters: CodingParameters

  init(_ hash: DecodedPictureHash, _ parameters: CodingParameters) {
    unsafe self.hash = hash
    unsafe self.parameters = parameters
  }

  /// Returns whether every plane matches; planes without a hash do.
  func fits(_ planes: [PlaneMemory<Sample>]) -> Bool {
    for index in unsafe planes.indices {
      let plane = unsafe planes[index]
      let width = unsafe parameters.width >> (index > 0 ? parameters.chromaShiftX : 0)
      let height = unsafe parameters.height >> (index > 0 ? parameters.chromaShiftY : 0)
      switch unsafe hash.hashType {
      case 0:
        guard unsafe index < hash.pictureMD5.count else { continue }
        let digest = unsafe MD5.digest(of: bytes(plane, width, height))
        if unsafe digest != hash.pictureMD5[index] { return false }
      case 1:
        // Only luma: the CRCs of chroma that libx265 writes do not follow the standard, and a photo must not be refused
        // because of them. MD5 and checksum apply to every plane.
        guard index == 0, unsafe !hash.pictureCRC.isEmpty else { continue }
        if unsafe remainder(bytes(plane, width, height)) != hash.pictureCRC[index] { return false }
      default:
        guard unsafe index < hash.pictureChecksum.count else { continue }
        if unsafe checksum(plane, width, height) != hash.pictureChecksum[index] { return false }
      }
    }
    return true
  }

  /// Returns the samples row by row, the low byte first.
  private func bytes(_ plane: PlaneMemory<Sample>, _ width: Int, _ height: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * MemoryLayout<Sample>.size + 128)
    for y in 0..<height {
      let row = unsafe UnsafeBufferPointer(start: plane[0, y], count: width)
      for x in 0..<width {
        let sample = unsafe row[x]
        bytes.append(UInt8(truncatingIfNeeded: sample))
        if Sample.bitWidth > 8 { bytes.append(UInt8(truncatingIfNeeded: Int(sample) >> 8)) }
      }
    }
    return bytes
  }

  /// Returns `pictureCrc`: the polynomial 0x1021 over all bits followed by 16 zeros.
  private func remainder(_ bytes: [UInt8]) -> UInt16 {
    var crc: UInt32 = 0xffff
    for index in 0..<bytes.count + 2 {
      let byte = index < bytes.count ? UInt32(bytes[index]) : 0
      for bit in (0..<8).reversed() {
        let carry = crc >> 15 & 1
        crc = (crc << 1 | byte >> UInt32(bit) & 1) & 0xffff
        if carry != 0 { crc ^= 0x1021 }
      }
    }
    return UInt16(truncatingIfNeeded: crc)
  }

  /// Returns `pictureChecksum`: bytes mixed with their positions.
  private func checksum(_ plane: PlaneMemory<Sample>, _ width: Int, _ height: Int) -> UInt32 {
    var sum: UInt32 = 0
    for y in 0..<height {
      for x in 0..<width {
        let mask = UInt32(truncatingIfNeeded: (x & 255) ^ (y & 255) ^ (x >> 8) ^ (y >> 8))
        let sample = unsafe UInt32(truncatingIfNeeded: plane[x, y].pointee)
        sum = sum &+ ((sample & 255) ^ mask)
        if Sample.bitWidth > 8 { sum = sum &+ ((sample >> 8) ^ mask) }
      }
    }
    return sum
  }
}
