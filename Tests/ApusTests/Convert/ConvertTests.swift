// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// What `apus convert` does to files.
struct ConvertTests {
  /// Runs a script in a folder that holds two photos of one picture each, and one that is cut off.
  private func run(_ script: String) throws -> (
    folder: TestFolder, output: String, status: Int32
  ) {
    let folder = try TestFolder()
    let result = try bash(
      """
      cd \(folder.path); exec 2>&1
      cp "$F"still-96x72.heic a.heic; cp "$F"still-64x48.heic b.HEIC; head -c 1500 a.heic > cut.heic
      \(script)
      """)
    return (folder, result.output, result.status)
  }

  private static let inputs = ["a.heic", "b.HEIC", "cut.heic"]

  @Test func `it writes beside the photo with its date`() throws {
    let (folder, output, status) = try run(
      """
      touch -d '2019-08-07 06:05:04.123456789' a.heic; chmod 600 a.heic
      apus convert a.heic b.HEIC || exit
      head -c 3 a.jpg | od -An -tx1; tail -c 2 a.jpg | od -An -tx1
      stat -c %Y.%y a.jpg | cut -d. -f1,3; TZ=UTC stat -c %y a.jpg; stat -c 'mode %a' a.jpg
      """)
    #expect(status == 0, "\(output)")
    #expect(try folder.listing() == ["a.heic", "a.jpg", "b.HEIC", "b.jpg", "cut.heic"])
    #expect(output.contains("2 converted in "))
    #expect(output.contains(" ff d8 ff\n ff d9\n"))
    #expect(output.contains("06:05:04.123456789"))
    #expect(output.contains("mode 600"))
  }

  @Test(arguments: [
    ("-o out.png a.heic", "out.png", "\u{89}PNG"), ("-o out.ppm a.heic", "out.ppm", "P6\n96 72"),
    ("-o out.yuv a.heic", "out.yuv", ""), ("-o new/ --format png a.heic", "new/a.png", "\u{89}PNG"),
    ("-o new/ a.heic", "new/a.jpg", "\u{ff}\u{d8}"),
    ("-o new/ --name '{dir}/x/{stem}-web.{ext}' a.heic", "new/x/a-web.jpg", "\u{ff}\u{d8}"),
    ("-o new/ --name '{stem}-web.{ext}' a.heic", "new/a-web.jpg", "\u{ff}\u{d8}"),
    ("'a.he*'", "a.jpg", "\u{ff}\u{d8}"), ("--files-from list", "a.jpg", "\u{ff}\u{d8}"),
  ])
  func `it writes where and what is asked`(_ words: String, _ name: String, _ start: String) throws
  {
    let (folder, output, status) = try run(
      "echo a.heic > list; (IFS=' '; eval apus convert \(words.shellQuoted))")
    #expect(status == 0, "\(output)")
    #expect(try folder.listing().contains(name))
    let begin = try bash("head -c 8 \(folder.file(name)) | iconv -f latin1 -t utf8").output
    #expect(begin.hasPrefix(start))
  }

  @Test func `it finds photos in folders and takes the folders along`() throws {
    let (folder, output, status) = try run(
      """
      mkdir -p in/x/y; cp a.heic in/x/y/1.HeIc; cp a.heic in/x/2.hif; cp a.heic in/3.heif
      cp a.heic in/4.heics; cp a.heic in/5.avci; cp a.heic in/6.jpg; echo text > in/7.txt; touch in/heic in/8.jpg
      apus convert -r in -o out
      """)
    #expect(status == 2, "\(output)")
    #expect(output.contains("out is not one: -o out/"))
    let again = try bash("cd \(folder.path); apus convert -r in -o out/ 2>&1")
    #expect(again.status == 0, "\(again.output)")
    #expect(
      try folder.listing().filter { $0.hasPrefix("out/") && $0.hasSuffix("g") }
        == ["out/3.jpg", "out/4.jpg", "out/5.jpg", "out/6.jpg", "out/x/2.jpg", "out/x/y/1.jpg"])
  }

  @Test func `it goes on behind a broken photo`() throws {
    let (folder, output, status) = try run("apus convert cut.heic gone.heic a.heic -o out/")
    #expect(status == 1)
    #expect(output.contains("apus: error: cut.heic is damaged: "))
    #expect(output.contains("apus: error: gone.heic: cannot be opened: No such file or directory"))
    #expect(output.contains("1 converted, 2 failed in "))
    #expect(try folder.listing().filter { $0.hasPrefix("out/") } == ["out/a.jpg"])
  }

  @Test(arguments: [
    ("skip", 3, "old", ["a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
    ("replace", 0, "new", ["a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
    ("rename", 0, "old", ["a-1.jpg", "a.heic", "a.jpg", "b.HEIC", "cut.heic"]),
  ])
  func `it respects what is there`(
    _ policy: String, _ expected: Int32, _ kept: String, _ names: [String]
  )
    throws
  {
    let (folder, output, status) = try run(
      "echo old > a.jpg; apus convert --on-exists \(policy) a.heic")
    #expect(status == expected, "\(output)")
    #expect(try folder.listing() == names)
    let isOld = try bash("cd \(folder.path); [[ $(head -c 3 a.jpg) == old ]]").status == 0
    #expect(isOld == (kept == "old"))
    #expect(
      output.contains("a.jpg exists (use --on-exists replace or rename") == (policy == "skip"))
  }

  @Test func `it gives no photo the output of another`() throws {
    let (folder, output, status) = try run(
      """
      cp b.HEIC a.HEIC; apus convert -j 4 a.heic a.HEIC a.heic; echo $?
      apus convert a.heic -o one.jpg; cmp a.jpg one.jpg || exit 9; rm one.jpg
      rm a.jpg; apus convert --on-exists rename a.heic a.HEIC
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("a.HEIC: a.jpg is the output of another file of this run"))
    #expect(output.contains("1 converted, 1 skipped, 1 failed"))
    #expect(
      try folder.listing() == ["a-1.jpg", "a.HEIC", "a.heic", "a.jpg", "b.HEIC", "cut.heic"])
  }

  /// Two photos of one folder, named by way of a link.
  @Test func `it gives no photo the output of another that is spelled otherwise`() throws {
    let (folder, output, status) = try run(
      """
      cp b.HEIC a.HEIC; ln -s . link; apus convert a.heic -o one.jpg
      apus convert --on-exists replace a.heic link/a.HEIC; s=$?
      cmp a.jpg one.jpg && exit $s
      """)
    #expect(status == 1, "\(output)")
    #expect(output.contains("link/a.jpg is the output of another file of this run"))
    #expect(try folder.listing().filter { $0.hasSuffix("jpg") } == ["a.jpg", "one.jpg"])
  }

  @Test func `it takes nothing in the folder that it writes to for a photo`() throws {
    let (_, output, status) = try run(
      """
      mkdir p; cp a.heic p
      apus thumbnail -r p -s 16 -o p/small/; apus thumbnail -r p -s 16 -o p/small/; s=$?
      find p -type f | sort; exit $s
      """)
    #expect(status == 3, "\(output)")
    #expect(output.hasSuffix("p/a.heic\np/small/a.jpg\n"), "\(output)")
  }

  @Test func `it never overwrites the photo itself`() throws {
    let (_, output, status) = try run(
      """
      apus convert a.heic -o p.jpg && cp p.jpg keep && apus convert --on-exists replace p.jpg; echo $?
      ln p.jpg q.jpg; apus convert --on-exists replace p.jpg -o q.jpg; cmp p.jpg keep
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("cannot write p.jpg: it is an input, which is never overwritten"))
    #expect(output.contains("cannot write q.jpg: it is an input"))
  }

  @Test func `it stands in pipes`() throws {
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

  @Test func `it takes names of every kind`() throws {
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
  func `it tells why it cannot write`(_ disk: String, _ options: String, _ reason: String) throws {
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

  @Test func `it tells that a device is full`() throws {
    let (_, output, status) = try run(
      """
      apus convert a.heic -o /dev/full; [[ $? == 1 && -c /dev/full ]] || exit
      apus convert a.heic -o - > /dev/full; [[ $? == 1 ]]
      """)
    #expect(status == 0)
    #expect(output.contains("error: a.heic: cannot write /dev/full: No space left on device"))
    #expect(output.contains("error: a.heic: cannot write standard output: No space left on device"))
  }

  @Test func `it removes only what it verified`() throws {
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

  /// A PNG holds alpha, where a JPEG does not.
  @Test func `it removes what is in PNGs`() throws {
    let (folder, output, status) = try run(
      """
      rm *; IFS=' '; for n in photo alpha depth still-10bit gain-map-tmap; do cp "$F"$n.heic .; done
      apus convert *.heic --format png --hdr drop --remove-source --dry-run
      apus convert *.heic --format png --hdr drop --remove-source
      """)
    #expect(status == 0, "\(output)")
    for plan in [
      "convert alpha.heic → alpha.png; remove alpha.heic",
      "convert photo.heic → photo.png; remove photo.heic",
      "convert still-10bit.heic → still-10bit.png; remove still-10bit.heic",
      "convert depth.heic → depth.png; keep: holds depth",
      "convert gain-map-tmap.heic → gain-map-tmap.png; keep: holds a gain map",
    ] { #expect(output.contains(plan + "\n"), "\(plan): \(output)") }
    #expect(
      try folder.listing().filter { $0.hasSuffix("heic") } == ["depth.heic", "gain-map-tmap.heic"])
  }

  /// What a run has written beside the photos of a folder is no input of the next.
  @Test func `it replaces what a run before has made`() throws {
    let (folder, output, status) = try run(
      """
      mkdir -p in/out; cp "$F"photo.heic "$F"portrait.heic in; cp "$F"420.jpg in/other.jpg; IFS=' '
      for target in "" "-o in/out/" "--isolate"; do
        apus convert -r in $target --on-exists replace; echo $?
        apus convert -r in $target --on-exists replace -q 40; echo $?
      done
      """)
    #expect(status == 0, "\(output)")
    #expect(!output.contains("error"), "\(output)")
    #expect(output.split(separator: "\n").filter { $0 == "0" }.count == 6, "\(output)")
    #expect(try folder.listing().contains("in"))
  }

  /// The picture is whole, and the file ends within the video behind it.
  @Test func `it writes no half video`() throws {
    for engine in ["", "--isolate"] {
      let (folder, output, status) = try run(
        """
        rm *; IFS=' '; head -c -10 "$F"portrait.heic > cut.heic; o="--remove-source=anyway \(engine)"
        apus convert cut.heic --live keep --dry-run; echo $?
        apus convert cut.heic --live keep $o; echo $?; ls; rm -f *.jpg
        apus convert cut.heic --live motion-photo $o; echo $?; ls
        apus convert cut.heic --live keep --salvage $o; echo $?; ls; rm *.jpg *.mp4
        apus convert cut.heic --live drop; echo $?; ls
        """)
      #expect(status == 0, "\(output)")
      let reason =
        "cut.heic is damaged: the motion video is truncated and not written: mpvd declares 1591 bytes, more than the file has"
      #expect(output.split(separator: "error: \(reason)\n").count == 4, "\(output)")
      #expect(output.contains("convert cut.heic → cut.jpg\n1\n"), "\(output)")
      let listings = output.split(separator: "\n").filter { !$0.hasPrefix("apus: ") }
      #expect(
        listings.dropFirst(2) == [
          "1", "cut.heic", "cut.jpg", "1", "cut.heic", "1", "cut.heic", "cut.jpg", "cut.mp4", "0",
          "cut.heic", "cut.jpg",
        ], "\(output)")
      #expect(try folder.listing() == ["cut.heic", "cut.jpg"])
    }
  }

  /// Photos that hold more than their picture, what is said of each, and what makes it removable.
  @Test(arguments: [
    ("alpha.heic", "holds alpha", "=anyway"),
    ("burst.heic", "holds 2 more pictures", " --images all"),
    ("depth.heic", "holds depth", "=anyway"), ("pair.heic", "holds 1 hidden picture", "=anyway"),
    ("gain-map-tmap.heic", "holds a gain map", " --hdr keep"),
  ])
  func `it removes what is whole in its outputs`(_ name: String, _ reason: String, _ remedy: String)
    throws
  {
    for engine in ["", "--isolate"] {
      let (folder, output, status) = try run(
        """
        rm *; IFS=' '; cp "$F"photo.heic whole.heic; cp "$F"\(name) more.heic
        apus convert *.heic --hdr drop --remove-source --dry-run; ls
        apus convert *.heic --hdr drop --remove-source \(engine) || exit; ls
        apus convert more.heic --on-exists replace --remove-source\(remedy) \(engine)
        """)
      #expect(status == 0, "\(output)")
      let lines = output.split(separator: "\n")
      let plans = [
        "convert more.heic → more.jpg; keep: \(reason)",
        "convert whole.heic → whole.jpg; remove whole.heic", "more.heic", "whole.heic",
      ]
      #expect(lines.prefix(4).elementsEqual(plans[...].map { Substring($0) }), "\(output)")
      #expect(lines.contains { $0 == "apus: more.heic: was kept: \(reason)" }, "\(output)")
      #expect(output.contains("; 1 photo removed, 1 kept\nmore.heic\nmore.jpg\nwhole.jpg\n"))
      if remedy == "=anyway" { #expect(output.contains("was removed, although it \(reason)")) }
      #expect(try folder.listing().filter { $0.hasSuffix("heic") }.isEmpty, "\(output)")
    }
  }

  @Test func `it keeps what was warned of linked or there before`() throws {
    let (folder, output, status) = try run(
      """
      rm *; IFS=' '; mkdir in; p="$F"photo.heic
      cp $p in/c.heic; ln -s in through; cp $p real.heic; ln -s real.heic link.heic
      cp $p old.heic; echo old > old.jpg; cp "$F"grid.heic warned.heic; cp "$F"420.jpg copy.heic
      apus convert --remove-source --dry-run link.heic through/c.heic old.heic warned.heic copy.heic
      apus convert --remove-source link.heic through/c.heic old.heic warned.heic copy.heic
      """)
    #expect(status == 0, "\(output)")
    #expect(
      try folder.listing().filter { $0.hasSuffix("heic") }
        == ["in/c.heic", "link.heic", "old.heic", "real.heic", "warned.heic"])
    for (plan, said) in [
      (
        "convert link.heic → link.jpg; keep: has the symbolic link link.heic in its path",
        "link.heic: was kept: has the symbolic link link.heic in its path"
      ),
      (
        "convert through/c.heic → through/c.jpg; keep: has the symbolic link through in its path",
        "through/c.heic: was kept: has the symbolic link through in its path"
      ),
      (
        "old.heic: skip: old.jpg exists; keep: old.jpg already existed",
        "old.heic: was kept: old.jpg already existed"
      ),
      (
        "convert warned.heic → warned.jpg; keep: caused a warning",
        "warned.heic: was kept: caused a warning"
      ),
      ("copy copy.heic → copy.jpg; remove copy.heic", "1 photo removed, 4 kept"),
    ] {
      #expect(output.contains(plan + "\n") && output.contains(said + "\n"), "\(said): \(output)")
    }
  }

  /// As if a run had been killed after it gave an output its name: the source is there, and the journal has begun.
  @Test func `it finishes what a killed run began`() throws {
    let (folder, output, status) = try run(
      """
      rm *; IFS=' '; for n in 1 2 3; do cp "$F"photo.heic $n.heic; touch -d @$n $n.heic; done
      mkdir kept; cp -a *.heic kept; apus convert *.heic --remove-source --journal j || exit
      cp -a kept/* .; grep -v '^converted' j > begun; echo x >> 3.jpg
      grep -v 2.heic begun > journal; apus convert *.heic --remove-source --journal journal
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("2.heic: was kept: 2.jpg already existed\n"), "\(output)")
    #expect(output.contains("3.heic: was kept: 3.jpg already existed\n"), "\(output)")
    #expect(output.contains("1 converted, 2 skipped in "))
    #expect(
      try folder.listing().filter { $0.hasSuffix("heic") && !$0.hasPrefix("kept") }
        == ["2.heic", "3.heic"])
  }

  /// A file that is cut off, and one whose `meta` has the version 32.
  @Test func `it says that a file is damaged`() throws {
    let (_, output, status) = try run(
      #"""
      cp "$F"photo.heic v.heic; printf ' ' | dd of=v.heic bs=1 seek=36 conv=notrunc status=none
      for verb in convert thumbnail 'extract --list'; do
        (IFS=' '; apus $verb cut.heic v.heic -o x/ || apus $verb cut.heic v.heic); done
      apus convert v.heic --json
      """#)
    #expect(status == 1, "\(output)")
    #expect(output.contains("error: cut.heic is damaged: meta/iloc at byte "), "\(output)")
    #expect(output.contains("error: v.heic is damaged: meta at byte "), "\(output)")
    #expect(output.contains(#""message":"meta at byte "#))
  }

  @Test func `it writes every picture`() throws {
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
    ("", "no FILE given"), ("-", "standard input has no file name"),
    ("- -o x/", "standard input has no file name"),
    ("a.heic b.HEIC -o x.jpg", "several inputs need an output folder"),
    ("a.heic b.HEIC -o -", "holds one picture"),
    ("a.heic -o x.txt", "--format jpeg, png, webp, ppm, yuv"),
    ("a.heic --name x.jpg", "must contain {stem}"), ("a.heic -q 0", "a whole number from 1 to 100"),
    ("a.heic --background red", "six hexadecimal digits"),
    ("a.heic --verify --format ppm", "can check JPEG"),
    ("a.heic --remove-source -o -", "--remove-source needs an output file"),
    ("a.heic --json -o -", "both write to standard output"),
    ("a.heic --images all --frame 1", "cannot be combined"),
    ("a.heic --images all -o -", "holds one picture"),
    ("a.heic --limit mebibites=1", "where NAME is depth"),
    ("a.heic --decoder libde625", "did you mean libde265?"), ("a.heic --journal", "needs a value"),
  ])
  func `it refuses what makes no sense`(_ words: String, _ message: String) throws {
    let (folder, output, status) = try run("(IFS=' '; apus convert \(words))")
    #expect(status == 2, "\(output)")
    #expect(output.contains(message), "\(output)")
    #expect(try folder.listing() == Self.inputs)
  }

  @Test func `it plans without writing`() throws {
    let (folder, output, status) = try run(
      """
      apus convert --dry-run -v a.heic; apus convert --dry-run -v a.heic b.HEIC --json
      apus convert --dry-run -v - < a.heic; apus convert --dry-run a.heic b.HEIC --json
      apus convert --dry-run a.heic; apus convert --dry-run a.heic b.HEIC --images all -o x/
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("96 × 72"))
    #expect(output.contains("canvas         96 × 72"))
    #expect(output.contains(#""warnings":[],"pictures":[{"width":96,"height":72,"#))
    #expect(
      output.contains(
        #""action":"convert","error":null,"outputs":["b.jpg"],"existing":[],"warnings":[]}"#))
    #expect(
      output.hasSuffix(
        "\nconvert a.heic → a.jpg\nconvert a.heic → x/a.jpg\nconvert b.HEIC → x/b.jpg\n"))
    #expect(try folder.listing() == Self.inputs)
  }

  @Test func `it writes the same bytes whatever the workers`() throws {
    let (_, output, status) = try run(
      """
      for j in 1 2 5; do apus convert -j $j "$F"still-96x72.heic "$F"still-lossless-444.heic "$F"two-images.heic -o out$j/ || exit; done
      apus convert -j 2 --isolate "$F"still-96x72.heic "$F"still-lossless-444.heic "$F"two-images.heic -o out6/ || exit
      for j in 2 5 6; do diff -r out1 out$j || exit; done
      """)
    #expect(status == 0, "\(output)")
  }
}
