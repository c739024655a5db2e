// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusSPNG

/// libspng's encoder.
@safe struct SPNGContext: ~Copyable {
  let handle: OpaquePointer

  init() throws(MediaError) {
    guard let handle = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue)) else {
      throw MediaError(.memory, "not enough memory for a PNG encoder")
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe spng_ctx_free(handle) }

  /// Sets the chunks, whose copies in `memory` must last as long as the context.
  func set(_ chunks: PNGChunks, _ memory: ChunkMemory) throws(MediaError) {
    if let profile = chunks.profile {
      var chunk = unsafe spng_iccp()
      guard unsafe Self.copy(chunks.profileName, into: &chunk.profile_name) else {
        throw MediaError(.misuse, "the name of the ICC profile is longer than 79 characters")
      }
      unsafe chunk.profile = unsafe memory.copy(profile)?.assumingMemoryBound(to: CChar.self)
      unsafe chunk.profile_len = profile.count
      try unsafe check(spng_set_iccp(handle, &chunk), in: "iCCP")
    }
    if let exif = chunks.exif {
      var chunk = unsafe spng_exif()
      unsafe chunk.data = unsafe memory.copy(exif)?.assumingMemoryBound(to: CChar.self)
      unsafe chunk.length = exif.count
      try unsafe check(spng_set_exif(handle, &chunk), in: "eXIf")
    }
    try setTexts(chunks, memory)
    if let density = chunks.samplesPerMetre {
      var chunk = spng_phys(ppu_x: density, ppu_y: density, unit_specifier: 1)
      try unsafe check(spng_set_phys(handle, &chunk), in: "pHYs")
    }
    if let colour = chunks.colour {
      let bytes = [colour.primaries, colour.transfer, 0, colour.isFullRange ? 1 : 0]
      var chunk = unsafe spng_unknown_chunk()
      unsafe chunk.type = (0x63, 0x49, 0x43, 0x50)
      unsafe chunk.data = unsafe memory.copy(bytes.map(UInt8.init(truncatingIfNeeded:)))
      unsafe chunk.length = bytes.count
      unsafe chunk.location = SPNG_AFTER_IHDR
      try unsafe check(spng_set_unknown_chunks(handle, memory.copy(chunk), 1), in: "cICP")
    }
  }

  /// Sets all texts at once, because libspng forgets earlier ones.
  private func setTexts(_ chunks: PNGChunks, _ memory: ChunkMemory) throws(MediaError) {
    var texts: [spng_text] = unsafe []
    if let xmp = chunks.xmp {
      guard !xmp.contains(0) else {
        throw MediaError(.misuse, "XMP with a zero byte cannot be text of a PNG")
      }
      unsafe texts.append(try text("XML:com.adobe.xmp", xmp, SPNG_ITXT, memory))
    }
    for said in chunks.texts {
      guard said.text.utf8.allSatisfy({ $0 > 0 && $0 < 0x80 }) else {
        throw MediaError(.misuse, "the text \(said.keyword) of a PNG is not ASCII")
      }
      unsafe texts.append(try text(said.keyword, Array(said.text.utf8), SPNG_TEXT, memory))
    }
    guard unsafe !texts.isEmpty else { return }
    try unsafe check(
      spng_set_text(handle, memory.copy(texts), UInt32(texts.count)), in: "iTXt and tEXt")
  }

  @unsafe private func text(
    _ keyword: String, _ bytes: [UInt8], _ type: spng_text_type, _ memory: ChunkMemory
  ) throws(MediaError) -> spng_text {
    var chunk = unsafe spng_text()
    guard unsafe !keyword.isEmpty && Self.copy(keyword, into: &chunk.keyword) else {
      throw MediaError(
        .misuse, "the keyword of a text has 1 to 79 characters, not \(keyword.utf8.count)")
    }
    unsafe chunk.type = CInt(bitPattern: type.rawValue)
    unsafe chunk.text = unsafe memory.copy(bytes)?.assumingMemoryBound(to: CChar.self)
    unsafe chunk.length = bytes.count
    unsafe chunk.language_tag = unsafe memory.copy([UInt8]())?.assumingMemoryBound(to: CChar.self)
    unsafe chunk.translated_keyword = unsafe memory.copy([UInt8]())?.assumingMemoryBound(
      to: CChar.self)
    return unsafe chunk
  }

  /// Copies a text; returns whether it fits with a terminating zero.
  private static func copy<Characters>(_ text: String, into field: inout Characters) -> Bool {
    unsafe withUnsafeMutableBytes(of: &field) { field in
      guard text.utf8.count < field.count else { return false }
      unsafe field.copyBytes(from: text.utf8)
      return true
    }
  }

  func set(_ option: spng_option, _ value: Int) throws(MediaError) {
    try unsafe check(spng_set_option(handle, option, CInt(value)))
  }

  func check(_ outcome: CInt, in chunk: String = "") throws(MediaError) {
    guard outcome != 0 else { return }
    let reason = unsafe String(cString: spng_strerror(outcome))
    let kind: MediaError.Kind = outcome == CInt(SPNG_EMEM.rawValue) ? .memory : .misuse
    throw MediaError(kind, "libspng: \(chunk.isEmpty ? "" : chunk + ": ")\(reason)")
  }
}
