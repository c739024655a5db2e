// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// What `apus edit` does to whole files, seen through ffmpeg.
struct EditTests {
  /// A box of 16 bytes that says nothing and no fixture has.
  private static let box = "printf '\\0\\0\\0\\20void12345678' > box"

  /// A change and the one that takes it back, and what must be in the file for it.
  private static let movieEdits = [
    ("--insert-before ftyp[0]=box", "--remove void[0]", "ftyp"),
    ("--insert-after ftyp[0]=box", "--remove void[0]", "ftyp"),
    ("--insert moov=box", "--remove moov/void[0]", "moov"),
    ("--insert-before mdat[0]=box", "--remove void[0]", "mdat"),
    ("--insert /=box", "--remove void[0]", ""),
    ("--insert moof[0]=box", "--remove moof[0]/void[0]", "moof"),
    ("--insert-after moof[0]=box", "--remove void[0]", "moof"),
    ("--insert mfra=box", "--remove mfra/void[0]", "mfra"),
    ("--insert-before moof[1]=box", "--remove void[0]", "moof[1]"),
    ("--insert moof[1]/traf[0]=box", "--remove moof[1]/traf[0]/void[0]", "moof[1]"),
    ("--set moov/mvhd/version=1", "--set moov/mvhd/version=0", "moov"),
  ]

  @Test(arguments: Fixture.names(".mp4", ".mov", ".m4v", ".ismv"))
  func `it moves movies without losing a packet`(_ name: String) throws {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let original = Fixture.folder + name
    let packets = try Fixture.packets(original)
    #expect(!packets.isEmpty)
    // ffmpeg leaves `prft` out of the sizes that its segment index says.
    let broken = try Fixture.brokenIndexes(original).count
    for (change, back, needed) in Self.movieEdits {
      guard
        try needed.isEmpty
          || bash("apus inspect --path \(needed) \(original.shellQuoted) 2>/dev/null").output
            .contains("@")
      else { continue }
      let (output, status) = try bash(
        """
        cd \(folder.path) && rm -f *.out && \(Self.box) &&
        apus edit \(original.shellQuoted) \(change) -o there.out 2>&1 &&
        apus edit there.out \(back) -o back.out 2>&1 && cmp back.out \(original.shellQuoted)
        """)
      // A box that ran to the end of the file says its size once another followed it.
      let isEnded = name == "size-zero.mp4" && change == "--insert /=box"
      #expect(status == (isEnded ? 1 : 0), "\(change): \(output)")
      #expect(try Fixture.packets(folder.file("there.out")) == packets, "\(change)")
      #expect(try Fixture.brokenIndexes(folder.file("there.out")).count == broken, "\(change)")
    }
  }

  @Test(arguments: Fixture.names(".heic"))
  func `it moves photos without losing a byte`(_ name: String) throws {
    let folder = try TestFolder()
    let original = Fixture.folder + name
    let items = try Fixture.items(original)
    for (change, back) in [
      ("--insert-before ftyp=box", "--remove void"), ("--insert-before mdat=box", "--remove void"),
      ("--insert meta=box", "--remove meta/void"),
      ("--insert meta/iprp/ipco=box", "--remove meta/iprp/ipco/void"),
    ] {
      let (output, status) = try bash(
        """
        cd \(folder.path) && rm -f *.out && \(Self.box) &&
        apus edit \(original.shellQuoted) \(change) -o there.out 2>&1 &&
        apus edit there.out \(back) -o back.out 2>&1 && cmp back.out \(original.shellQuoted)
        """)
      #expect(status == 0, "\(change): \(output)")
      #expect(try Fixture.items(folder.file("there.out")) == items, "\(change)")
    }
  }

  /// Shrinking `moov` that stands before the media data.
  @Test func `it takes boxes out`() throws {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let original = Fixture.folder + "tags.m4v"
    let (output, status) = try bash(
      """
      cd \(folder.path) && ffmpeg -v error -i \(original.shellQuoted) -c copy -movflags +faststart first.mp4 &&
      apus edit first.mp4 --remove moov/udta -o small.mp4 2>&1
      """)
    #expect(status == 0, "\(output)")
    let before = try Fixture.packets(folder.file("first.mp4"))
    #expect(try Fixture.packets(folder.file("small.mp4")) == before)
  }

  @Test(arguments: [
    ("hvc1.mp4", "--set moov/trak[0]/tkhd/width=320", "moov/trak/tkhd/width"),
    ("hvc1.mp4", "--set moov/trak[0]/mdia/mdhd/language=deu", "moov/trak/mdia/mdhd/language"),
    ("grid.heic", "--set ftyp/major_brand=mif1", "ftyp/major_brand"),
    ("fragmented.mp4", "--set moof[0]/mfhd/sequence_number=9", "moof/mfhd/sequence_number"),
    (
      "hvc1.mp4", "--set moov/trak[0]/mdia/minf/stbl/stts/entries[0].sample_delta=513",
      "moov/trak/mdia/minf/stbl/stts/entries"
    ),
  ])
  func `it writes in place the bytes it names`(_ name: String, _ change: String, _ field: String)
    throws
  {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && cp "$F"\(name) old && cp old new &&
      apus edit old \(change) --dry-run && echo -- && apus edit new \(change) --in-place 2>&1 &&
      apus edit old \(change) -o other && cmp new other && cmp -l old new |
        awk '{ print $1 - 1 }'
      """)
    #expect(status == 0)
    let parts = output.split(separator: "--\n", maxSplits: 1)
    try #require(parts.count == 2)
    let named = parts[0].split(separator: "\n").flatMap { line -> [Int] in
      let words = line.split(separator: " ")
      #expect(line.hasSuffix(field))
      guard let start = Int(words[1].dropLast()) else { return [] }
      return Array(start..<start + words[2].count / 2)
    }
    #expect(named == parts[1].split(separator: "\n").compactMap { Int($0) })
    #expect(!named.isEmpty)
  }

  @Test func `it replaces boxes and their bodies`() throws {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let original = Fixture.folder + "hvc1.mp4"
    let (output, status) = try bash(
      """
      cd \(folder.path) && \(Self.box) &&
      apus edit \(original.shellQuoted) --extract moov -o moov && apus edit \(original.shellQuoted) --extract ftyp > ftyp &&
      { printf '\\0\\0\\0\\50'; tail -c +5 ftyp; printf 'isom12345678'; } | head -c 40 > longer &&
      apus edit \(original.shellQuoted) --replace ftyp=longer --replace moov=moov -o a.mp4 &&
      apus edit a.mp4 --replace ftyp=ftyp -o b.mp4 && cmp b.mp4 \(original.shellQuoted) &&
      printf abcd > body && apus edit \(original.shellQuoted) --replace-body free=body -o c.mp4 &&
      apus inspect --path free c.mp4
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("+12"))
    let packets = try Fixture.packets(original)
    #expect(try Fixture.packets(folder.file("a.mp4")) == packets)
    #expect(try Fixture.packets(folder.file("c.mp4")) == packets)
  }

  @Test(arguments: [
    (
      "hvc1.mp4", "--remove mdat",
      "stco: chunk_offset 0 points to byte 44, which are no longer there"
    ),
    ("grid.heic", "--remove mdat", "which are no longer there"),
    ("fragmented.mp4", "--remove mdat[1]", "data_offset points to bytes"),
    ("fragmented.mp4", "--remove moof[0]", "moof_offset 0 points to byte"),
    ("hvc1.mp4", "--remove moof", "there is no box moof; did you mean moov?"),
    ("hvc1.mp4", "--set moov/mvhd/timescal=1", "has no field timescal; did you mean timescale?"),
    (
      "hvc1.mp4", "--set moov/mvhd/timescale=4294967296",
      "expected a whole number from 0 to 4294967295"
    ),
    ("hvc1.mp4", "--set moov/trak[0]/tkhd/reserved=1", "has 3 fields reserved"),
    (
      "hvc1.mp4", "--set moov/trak[0]/mdia/minf/stbl/stsz/sample_count=3", "could not be read again"
    ),
    ("hvc1.mp4", "--set moov/trak[0]/mdia/minf/stbl/stts/entry_count=9", "follows from"),
    ("audio-codecs.mp4", "--remove moov/trak", "moov/trak[0] to moov/trak["),
    ("hvc1.mp4", "--insert ftyp=box", "holds no boxes"),
    ("hvc1.mp4", "--insert moov=text", "no whole box"),
  ])
  func `it refuses what cannot be`(_ name: String, _ change: String, _ reason: String) throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && \(Self.box) && printf 'no box at all' > text && cp "$F"\(name) in &&
      apus edit in \(change) -o out 2>&1
      code=$?; cmp in "$F"\(name) && [[ ! -e out ]] && exit $code
      """)
    #expect(status == 1, "\(output)")
    #expect(output.contains(reason), "\(output)")
  }

  @Test func `it survives what once broke it`() throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && \(Self.box) && for file in "$F"crashes/*-*; do
        for change in 'edit --insert-before ftyp=box' 'hvcc fix --entry hvc1 --sets record' \
          'convert --format ppm'
        do
          (IFS=' '; apus $change "$file" -o out --on-exists replace) 2>&1
          [[ $? -le 1 ]] || exit 9
        done
      done
      """)
    #expect(status == 0, "\(output)")
  }
}
