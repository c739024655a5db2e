// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// Runs that are cut short, and processes that die. A named pipe as a photo holds a run where the test wants it:
/// opening it for writing returns once the run has begun with it.
struct ConvertRunTests {
  private func run(_ script: String) throws -> (
    folder: TestFolder, output: String, status: Int32
  ) {
    let folder = try TestFolder()
    let result = try bash(
      """
      cd \(folder.path); exec 2>&1
      for name in a b c; do cp "$F"still-64x48.heic $name.heic; done; mkfifo pipe.heic
      \(script)
      """)
    return (folder, result.output, result.status)
  }

  @Test(arguments: ["INT", "TERM"], ["-v", "--isolate"])
  func `it ends in order when interrupted`(_ signal: String, _ isolation: String) throws {
    let (folder, output, status) = try run(
      """
      head -c 900 a.heic > cut.heic
      apus convert -j 1 \(isolation) --journal j cut.heic a.heic pipe.heic b.heic -o out/ 2> said &
      exec 3> pipe.heic; until grep -q cut.heic said && [ -e out/a.jpg ]; do :; done; kill -\(signal) $!
      wait $!; status=$?; exec 3>&-; cat said; exit $status
      """)
    #expect(status == (signal == "INT" ? 130 : 143), "\(output)")
    // It says that it is stopping, too, unless it ends before it can.
    #expect(output.contains("interrupted: 1 converted, 1 failed in "))
    #expect(try folder.listing().filter { $0.hasPrefix("out") } == ["out", "out/a.jpg"])
    #expect(try folder.contents("j").split(separator: "\n").count == 3)
  }

  @Test func `it ends at once when interrupted twice`() throws {
    // The pipe stays open for writing, so that the run could not end in order.
    let (folder, output, status) = try run(
      """
      apus convert -j 1 pipe.heic -o out/ &
      exec 3> pipe.heic; kill -INT $!
      while kill -INT $! 2> /dev/null; do :; done; wait $!
      """)
    #expect(status == 130, "\(output)")
    #expect(try folder.listing().filter { $0.hasPrefix("out/") }.isEmpty)
  }

  @Test func `it goes on where a killed run was`() throws {
    let (folder, output, status) = try run(
      """
      head -c 900 a.heic > cut.heic
      apus convert -j 1 --journal j cut.heic a.heic pipe.heic b.heic -o out/ > /dev/null &
      exec 3> pipe.heic; until [ $(wc -l < j) = 3 ]; do :; done
      kill -KILL $!; wait $! 2> /dev/null; exec 3>&-
      rm pipe.heic; cp a.heic pipe.heic; rm out/a.jpg; cp a.heic cut.heic
      apus convert --journal j --json cut.heic a.heic pipe.heic b.heic -o out/
      echo $?; apus convert --journal j cut.heic a.heic pipe.heic b.heic -o out/; echo $?
      apus convert --journal j a.heic; echo $?
      """)
    #expect(status == 0, "\(output)")
    #expect(
      output.contains(
        #""summary":{"converted":4,"skipped":0,"failed":0,"salvaged":0,"finished_before":0,"#))
    #expect(output.contains("4 skipped in ") && output.contains("; 4 already finished\n3\n"))
    #expect(output.contains("belongs to a run that wrote jpeg to out/"))
    #expect(try folder.listing().contains("out/a.jpg"), "an output that is gone is made again")
    #expect(try folder.listing().contains("out/cut.jpg"), "what failed is tried again")
  }

  @Test func `it takes no journal that is in use`() throws {
    let (_, output, status) = try run(
      """
      apus convert -j 1 --journal j pipe.heic -o out/ > /dev/null 2>&1 &
      exec 3> pipe.heic; apus convert --journal j a.heic -o out/; code=$?
      exec 3>&-; wait; exit $code
      """)
    #expect(status == 1)
    #expect(output.contains("cannot use j: another run is using this journal"))
  }

  @Test(arguments: ["SEGV", "KILL"])
  func `it loses one photo when a process dies`(_ signal: String) throws {
    let (folder, output, status) = try run(
      """
      apus convert -j 1 --isolate --json a.heic pipe.heic b.heic -o out/ &
      exec 3> pipe.heic
      kill -\(signal) $(pgrep -P $! -f convert-worker); wait $!
      """)
    #expect(status == 1, "\(output)")
    #expect(output.contains(#""message":"the process that decoded it was ended by SIG\#(signal)""#))
    #expect(output.contains(#""summary":{"converted":2,"skipped":0,"failed":1,"#))
    #expect(try folder.listing().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/b.jpg"])
  }

  @Test(arguments: ["SEGV", "KILL"])
  func `it loses one photo when the process of a run dies`(_ signal: String) throws {
    // The second process gets each photo alone, and dies with the same one.
    let (folder, output, status) = try run(
      """
      apus convert -j 1 --json a.heic pipe.heic b.heic c.heic -o out/ & run=$!
      exec 3> pipe.heic; first=$(pgrep -P $run -f convert-worker); kill -\(signal) $first
      until second=$(pgrep -P $run -f convert-worker) && [ $second != $first ]; do :; done
      kill -\(signal) $second; wait $run
      """)
    #expect(status == 1, "\(output)")
    #expect(
      output.contains(
        #""message":"apus was ended by SIG\#(signal) while it converted this photo; "#))
    #expect(output.contains(#""summary":{"converted":3,"skipped":0,"failed":1,"#))
    #expect(
      try folder.listing().filter { $0.hasPrefix("out/") } == [
        "out/a.jpg", "out/b.jpg", "out/c.jpg",
      ])
  }

  @Test func `it ends a process that hangs`() throws {
    let (_, output, status) = try run(
      """
      apus convert -j 1 --isolate --limit wall-seconds=1 pipe.heic a.heic -o out/ & exec 3> pipe.heic; wait $!
      """)
    #expect(status == 1)
    #expect(output.contains("pipe.heic took longer than 1 s; --limit wall-seconds=N allows more"))
    #expect(output.contains("1 converted, 1 failed"))
  }

  /// What an isolated process may not do, tried in one.
  @Test func `it refuses isolated processes the network`() throws {
    let (_, output, status) = try run(
      """
      apus convert -j 1 --isolate pipe.heic -o out/ & exec 3> pipe.heic
      worker=$(pgrep -P $! -f convert-worker)
      grep -E '^(Seccomp|NoNewPrivs):' /proc/$worker/status
      grep -E 'core|address|open files' /proc/$worker/limits
      exec 3>&-; wait
      """)
    #expect(status == 0)
    #expect(output.contains("NoNewPrivs:\t1\nSeccomp:\t2\n"), "\(output)")
    #expect(output.contains("Max core file size        0 "))
    #expect(output.contains("Max open files            64 "))
    #expect(output.contains("Max address space         4294967296 "))
  }

  @Test func `it shows a bar on a terminal`() throws {
    try #require(isInstalled("script"), "Scripts/test installs what is missing")
    let (_, output, _) = try run(
      "rm pipe.heic; export TERM=xterm; script -qec 'apus convert a.heic b.heic nothing.heic' /dev/null"
    )
    #expect(output.contains("\u{1b}[K"))
    #expect(output.contains("/3  "))
    #expect(output.contains("error:"))
    #expect(try !run("apus convert a.heic").output.contains("\u{1b}"))
  }
}
