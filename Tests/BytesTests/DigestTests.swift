// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

/// Digests against the vectors of their standards.
@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `it computes SHA-256 as FIPS 180 has it`(text: String, digest: String) {
    #expect(SHA256.digest(of: Array(text.utf8)) == hex(digest))
  }

  /// RFC 4231, test cases 1, 2 and 6.
  @Test func `it computes HMAC-SHA256 as RFC 4231 has it`() {
    #expect(
      SHA256.code(of: Array("Hi There".utf8), key: Array(repeating: 0x0b, count: 20))
        == hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
    #expect(
      SHA256.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(
      SHA256.code(
        of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        key: Array(repeating: 0xaa, count: 131))
        == hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
  }

  /// Where each byte of a digest is compared, one of 256 texts must not pass because of its last byte.
  @Test func `it takes no text for a secret that is another`() {
    #expect(Secret.isEqual("", ""))
    #expect(Secret.isEqual("a sécret", "a sécret"))
    for (left, right) in [("a", ""), ("", "a"), ("first", "First"), ("a", "a "), ("ab", "ba")] {
      #expect(!Secret.isEqual(left, right), "\(left), \(right)")
    }
    let wrong = (0..<2000).map { "key \($0)" }.filter { Secret.isEqual("key", $0) }
    #expect(wrong.isEmpty)
  }

  /// The digests are those of `openssl mac -macopt size:16 SIPHASH`, with a key of zeros, of bytes whose values rise by 37
  /// from 11.
  @Test(arguments: [
    (0, "5049d74780a3e07d4202ab47d4cef2f4"), (1, "047bc64d9b38b533177fdcba03e2d1ec"),
    (7, "90f14b83328241c6c8937076cf3bc1af"), (8, "0a589d727290a7903955617a14311c35"),
    (9, "48968ceab864a8f951c811071648762a"), (15, "46c119249963129e8d0434d6f36ccdb5"),
    (64, "833758cb4995b69d9174f7bca8f6a19f"), (1000, "ed8c3e47dc17632841a80d99a15aa48e"),
  ])
  func `a tag is that of SipHash, however its contents are added`(count: Int, digits: String) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    for step in [1, 3, 8, 13, 1024] {
      var tag = ContentTag()
      for start in stride(from: 0, to: count, by: step) {
        tag.add(Array(bytes[start..<min(start + step, count)]))
      }
      #expect(tag.digits == digits)
    }
  }
}
