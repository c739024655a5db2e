// SPDX-License-Identifier: MIT

import Testing

@testable import apus

/// What `apus convert` does to files.
struct ConvertTests {
  /// Runs a script in a folder that holds two photos of one picture each, and one that is cut off.
  private func run(_ script: String) throws -> (
    folder: TemporaryFolder, output: String, status: Int32
  ) {
    let folder = try TemporaryFolder()
    let result = try bash(
      """
      cd \(folder.path); exec 2>&1
      cp "$F"still-96x72.heic a.heic; cp "$F"still-64x48.heic b.HEIC; head -c 1500 a.heic > cut.heic
      \(script)
      """)
    return (folder, result.output, result.status)
  }

  private static let inputs = ["a.heic", "b.HEIC", "cut.heic"]

  @Test func writesBesideThePhotoWithItsDate() throws {
    let (folder, output, status) = try run(
      """
      touch -d '2019-08-07 06:05:04.123456789' a.heic; chmod 600 a.heic
      apus convert a.heic b.HEIC || exit
      head -c 3 a.jpg | od -An -tx1; tail -c 2 a.jpg | od -An -tx1
      stat -c %Y.%y a.jpg | cut -d. -f1,3; TZ=UTC stat -c %y a.jpg
      """)
    #expect(status == 0, "\(output)")
    #expect(try folder.listing() == ["a.heic", "a.jpg", "b.HEIC", "b.jpg", "cut.heic"])
    #expect(output.contains("2 converted in "))
    #expect(output.contains(" ff d8 ff\n ff d9\n"))
    #expect(output.contains("06:05:04.123456789"))
  }

  @Test(arguments: [
    ("-o out.png a.heic", "out.png", "\u{89}PNG"), ("-o out.ppm a.heic", "out.ppm", "P6\n96 72"),
    ("-o out.yuv a.heic", "out.yuv", ""), ("-o new/ --format png a.heic", "new/a.png", "\u{89}PNG"),
    ("-o new/ a.heic", "new/a.jpg", "\u{ff}\u{d8}"),
    ("-o new/ --name '{dir}/x/{stem}-web.{ext}' a.heic", "new/x/a-web.jpg", "\u{ff}\u{d8}"),
    ("'a.he*'", "a.jpg", "\u{ff}\u{d8}"), ("--files-from list", "a.jpg", "\u{ff}\u{d8}"),
  ])
  func writesWhereAndWhatIsAsked(_ words: String, _ name: String, _ start: String) throws {
    let (folder, output, status) = try run(
      "echo a.heic > list; (IFS=' '; eval apus convert \(words.shellQuoted))")
    #expect(status == 0, "\(output)")
    #expect(try folder.listing().contains(name))
    let begin = try bash("head -c 8 \(folder.file(name)) | iconv -f latin1 -t utf8").output
    #expect(begin.hasPrefix(start))
  }

  @Test func findsPhotosInFoldersAndTakesTheFoldersAlong() throws {
    let (folder, output, status) = try run(
      """
      mkdir -p in/x/y; cp a.heic in/x/y/1.HeIc; cp a.heic in/x/2.hif; cp a.heic in/3.heif
      cp a.heic in/4.heics; cp a.heic in/5.avci; cp a.heic in/6.jpg; echo text > in/7.txt; touch in/heic
      apus convert -r in -o out
      """)
    #expect(status == 2, "\(output)")
    #expect(output.contains("out is none: -o out/"))
    let again = try bash("cd \(folder.path); apus convert -r in -o out/ 2>&1")
    #expect(again.status == 0, "\(again.output)")
    #expect(
      try folder.listing().filter { $0.hasPrefix("out/") && $0.hasSuffix("g") }
        == ["out/3.jpg", "out/4.jpg", "out/5.jpg", "out/x/2.jpg", "out/x/y/1.jpg"])
  }

  @Test func goesOnBehindABrokenPhoto() throws {
    let (folder, output, status) = try run("apus convert cut.heic gone.heic a.heic -o out/")
    #expect(status == 1)
    #expect(output.contains("apus: error: cut.heic: "))
    #expect(output.contains("apus: error: gone.heic: cannot be opened: No such file or directory"))
    #expect(output.contains("1 converted, 2 failed in "))
    #expect(try folder.listing().filter { $0.hasPrefix("out/") } == ["out/a.jpg"])
  }

  @Test(arguments: [
    ("skip", 3, "old", ["a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
    ("replace", 0, "new", ["a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
    ("rename", 0, "old", ["a-1.jpg", "a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
  ])
  func respectsWhatIsThere(_ policy: String, _ expected: Int32, _ kept: String, _ names: [String])
    throws
  {
    let (folder, output, status) = try run(
      "echo old > a.jpg; apus convert --on-exists \(policy) a.heic")
    #expect(status == expected, "\(output)")
    #expect(try folder.listing() == names)
    let isOld = try bash("cd \(folder.path); [[ $(head -c 3 a.jpg) == old ]]").status == 0
    #expect(isOld == (kept == "old"))
    #expect(
      output.contains("a.jpg is there already; --on-exists replace|rename") == (policy == "skip"))
  }

  @Test func givesNoPhotoTheOutputOfAnother() throws {
    let (folder, output, status) = try run(
      """
      cp b.HEIC a.HEIC; apus convert -j 4 a.heic a.HEIC a.heic; echo $?
      apus convert a.heic -o one.jpg; cmp a.jpg one.jpg || exit 9; rm one.jpg
      rm a.jpg; apus convert --on-exists rename a.heic a.HEIC
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("a.HEIC: a.jpg is the output of another photo of this run"))
    #expect(output.contains("1 converted, 1 skipped, 1 failed"))
    #expect(
      try folder.listing() == ["a-1.jpg", "a.HEIC", "a.heic", "a.jpg", "b.HEIC", "cut.heic"])
  }

  /// Two photos of one folder, named by way of a link.
  @Test func givesNoPhotoTheOutputOfAnotherThatIsSpelledOtherwise() throws {
    let (folder, output, status) = try run(
      """
      cp b.HEIC a.HEIC; ln -s . link; apus convert a.heic -o one.jpg
      apus convert --on-exists replace a.heic link/a.HEIC; s=$?
      cmp a.jpg one.jpg && exit $s
      """)
    #expect(status == 1, "\(output)")
    #expect(output.contains("link/a.jpg is the output of another photo of this run"))
    #expect(try folder.listing().filter { $0.hasSuffix("jpg") } == ["a.jpg", "one.jpg"])
  }

  @Test func neverOverwritesThePhotoItself() throws {
    let (_, output, status) = try run(
      """
      apus convert a.heic -o p.jpg && cp p.jpg keep && apus convert --on-exists replace p.jpg; echo $?
      ln p.jpg q.jpg; apus convert --on-exists replace p.jpg -o q.jpg; cmp p.jpg keep
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("p.jpg is the photo itself, which is never overwritten"))
    #expect(output.contains("q.jpg is the photo itself"))
  }

  @Test func standsInPipes() throws {
    let (_, output, status) = try run(
      """
      apus convert -q a.heic -o file.jpg --quiet
      [[ $? == 2 ]] || exit 9
      apus convert -q 80 a.heic -o file.jpg --quiet
      apus convert -q 80 - -o - < a.heic --quiet | cmp - file.jpg || exit 1
      cat a.heic | apus convert -q 80 - -o - --quiet | cmp - file.jpg || exit 2
      cat a.heic | apus convert --quality=80 - -o named.jpg --quiet && cmp named.jpg file.jpg || exit 3
      mkfifo pipe && { cat a.heic > pipe & apus convert -q 80 pipe -o p.jpg --quiet; } && cmp p.jpg file.jpg || exit 4
      cat cut.heic | apus convert - -o - | wc -c; printf '%s\\n' "${PIPESTATUS[@]}"
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("\n0\n0\n1\n0\n"), "no byte of a photo that is not whole: \(output)")
  }

  @Test func takesNamesOfEveryKind() throws {
    let (folder, output, status) = try run(
      """
      mv a.heic $'new\\nline.heic'; mv b.HEIC $'esc\\e[31m.heic'; cp cut.heic -- -dash.heic
      printf '%s\\0' $'new\\nline.heic' $'esc\\e[31m.heic' ./-dash.heic | apus convert --files-from - -v
      apus convert --json --on-exists replace $'new\\nline.heic' | head -1
      apus convert -- -dash.heic
      """)
    #expect(status == 1, "\(output)")
    #expect(!output.contains("\u{1b}"))
    #expect(output.contains(#""input":"new\nline.heic","output":"new\nline.jpg""#))
    #expect(
      try bash("cd \(folder.path); [[ -s $'new\\nline.jpg' && -s $'esc\\e[31m.jpg' ]]").status == 0)
  }

  /// A disk that is full, a folder that cannot be written to: on a disk of one page that only this test sees.
  @Test(arguments: [
    ("rw,size=4k", "--format ppm", "cannot write disk/a.ppm: No space left on device"),
    ("ro", "", "cannot write disk/a.jpg: Read-only file system"),
  ])
  func tellsWhyItCannotWrite(_ disk: String, _ options: String, _ reason: String) throws {
    guard try bash("unshare -rm true 2> /dev/null").status == 0 else { return }
    let (_, output, status) = try run(
      """
      mkdir disk; export IFS=' '
      unshare -rm bash -c 'mount -t tmpfs -o \(disk) none disk && apus convert \(options) a.heic -o disk/
        echo $? "$(ls -A disk)."'
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains(reason))
    #expect(output.hasSuffix("\n1 .\n"), "\(output)")
  }

  @Test func tellsThatADeviceIsFull() throws {
    let (_, output, status) = try run(
      """
      apus convert a.heic -o /dev/full; [[ $? == 1 && -c /dev/full ]] || exit
      apus convert a.heic -o - > /dev/full; [[ $? == 1 ]]
      """)
    #expect(status == 0)
    #expect(output.contains("error: a.heic: cannot write /dev/full: No space left on device"))
    #expect(output.contains("error: a.heic: cannot write standard output: No space left on device"))
  }

  @Test func removesOnlyWhatItVerified() throws {
    let (folder, output, status) = try run(
      """
      cp a.heic there.heic; echo old > there.jpg
      apus convert --remove-source a.heic there.heic cut.heic --salvage
      """)
    #expect(status == 1, "\(output)")
    #expect(
      try folder.listing().filter { $0.hasSuffix("heic") } == ["cut.heic", "there.heic"])
    #expect(try folder.listing().contains("a.jpg"))
  }

  @Test func writesEveryPicture() throws {
    let (folder, output, status) = try run(
      """
      cp "$F"two-images.heic t.heic; apus convert --images all t.heic --json
      apus convert --images all t.heic -o named.jpg && cmp t.2.jpg named.2.jpg
      """)
    #expect(status == 0, "\(output)")
    #expect(
      try folder.listing().filter { $0.hasSuffix("jpg") }
        == ["named.2.jpg", "named.jpg", "t.2.jpg", "t.jpg"])
    #expect(output.contains(#""others":[{"output":"t.2.jpg","#))
  }

  @Test(arguments: [
    ("", "FILE is missing"), ("-", "standard input has no name to write under"),
    ("- -o x/", "standard input has no name"),
    ("a.heic b.HEIC -o x.jpg", "several inputs need a folder"),
    ("a.heic b.HEIC -o -", "takes one picture"),
    ("a.heic -o x.txt", "--format jpeg, png, ppm, yuv"),
    ("a.heic --name x.jpg", "must hold {stem}"), ("a.heic -q 0", "a whole number from 1 to 100"),
    ("a.heic --background red", "six hexadecimal digits"),
    ("a.heic --verify --format ppm", "reads a JPEG"),
    ("a.heic --remove-source -o -", "--remove-source needs an output that stays"),
    ("a.heic --json -o -", "both write to standard output"),
    ("a.heic --images all --frame 1", "only one can be"),
    ("a.heic --images all -o -", "takes one picture"),
    ("a.heic --limit mebibites=1", "where NAME is depth"),
    ("a.heic --decoder libde625", "did you mean libde265?"), ("a.heic --journal", "needs a value"),
  ])
  func refusesWhatMakesNoSense(_ words: String, _ message: String) throws {
    let (folder, output, status) = try run("(IFS=' '; apus convert \(words))")
    #expect(status == 2, "\(output)")
    #expect(output.contains(message), "\(output)")
    #expect(try folder.listing() == Self.inputs)
  }

  @Test func plansWithoutWriting() throws {
    let (folder, output, status) = try run(
      """
      apus convert --plan a.heic; apus convert --dry-run a.heic b.HEIC --json
      apus convert --plan - < a.heic
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("96 × 72"))
    #expect(output.contains(#""picture":"b.HEIC""#))
    #expect(try folder.listing() == Self.inputs)
  }

  @Test func writesTheSameBytesWhateverTheWorkers() throws {
    let (_, output, status) = try run(
      """
      for j in 1 2 5; do apus convert -j $j "$F"still-96x72.heic "$F"still-lossless-444.heic "$F"two-images.heic -o out$j/ || exit; done
      apus convert -j 2 --isolate "$F"still-96x72.heic "$F"still-lossless-444.heic "$F"two-images.heic -o out6/ || exit
      for j in 2 5 6; do diff -r out1 out$j || exit; done
      """)
    #expect(status == 0, "\(output)")
  }
}
