// SPDX-License-Identifier: MIT

import ApusTransport
import Glibc
import RTMP
import TestSupport
import Testing

@testable import ApusCommand

/// `apus stream` as a process, against a server of ours in this one.
@Suite struct StreamTests {
  /// What a server saw, and what the command said.
  private final class Session {
    var output = ""
    var tags = 0
    var streamsEnded = 0
    var processLine = ""

    /// The command writes its process id first.
    var process: pid_t? { output.split(separator: "\n").first.flatMap { pid_t($0) } }

    func read(_ descriptor: Int32) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 { output += String(decoding: buffer.prefix(count), as: UTF8.self) }
      return count > 0
    }
  }

  /// Runs a script with the address of a server as `$URL`, and the folder of the fixtures as `$F`.
  ///
  /// - Parameter onTag: called for each tag that comes.
  private func serve(_ script: String, _ onTag: @escaping (Session) -> Void = { _ in }) throws
    -> (session: Session, status: Int32)
  {
    let session = Session()
    let loop = try EventLoop()
    let listener = try Listener(host: "127.0.0.1", port: 0, ServerConfiguration(), on: loop) {
      link, event in
      switch event {
      case .request: link.accept()
      case .tag:
        session.tags += 1
        onTag(session)
      case .streamEnded: session.streamsEnded += 1
      default: break
      }
    }
    defer { listener.close() }
    let whole = """
      export PATH=\(try bash("dirname $(command -v apus)").output.dropLast()):"$PATH" \
      F=\(Fixture.folder.shellQuoted) URL=127.0.0.1:\(listener.port)
      \(script)
      """
    guard let stream = unsafe popen("exec bash -c \(whole.shellQuoted)", "r") else {
      throw Unavailable("bash")
    }
    let descriptor = unsafe fileno(stream)
    loop.watch(descriptor) {
      if !session.read(descriptor) {
        loop.unwatch(descriptor)
        loop.stop()
      }
    }
    loop.after(60_000_000_000) { loop.stop() }
    loop.run()
    return (session, unsafe pclose(stream) >> 8 & 0xff)
  }

  @Test func `it shows neither key nor password, and ends in order when it is interrupted`() throws
  {
    let (session, status) = try serve(
      """
      echo $$
      exec apus stream -v --json "$F/movie.mov" rtmp://anna:pass99word@$URL/live/key99part?token=t \
        --backup "rtmps://other.example.org/live/back99up" --dialect enhanced --loop 2>&1
      """
    ) { session in
      guard session.tags == 8, let process = session.process else { return }
      session.processLine = (try? bash("tr '\\0' ' ' < /proc/\(process)/cmdline").output) ?? ""
      kill(process, SIGINT)
    }
    #expect(status == 130)
    #expect(session.streamsEnded == 1)
    #expect(session.processLine.contains("rtmp://anna:**********@127.0.0.1:"))
    #expect(session.processLine.contains("/live/****"))
    for secret in ["pass99word", "key99part", "token=t", "back99up"] {
      #expect(!session.processLine.contains(secret))
      #expect(!session.output.contains(secret))
    }
    #expect(session.output.contains(#""interrupted":true,"error":null"#))
  }

  @Test(arguments: [
    "rtmp://$URL/live/key", "--key-file key.txt rtmp://$URL/live",
    "--key-file - rtmp://$URL/live < key.txt",
  ])
  func `it takes the key from wherever it stands`(arguments: String) throws {
    let (session, status) = try serve(
      """
      cd $(mktemp -d); echo key > key.txt
      apus stream "$F/movie.mov" --dialect legacy --no-pace \(arguments) 2>&1; status=$?
      rm -r $PWD; exit $status
      """)
    #expect(status == 0, "\(session.output)")
    #expect(session.tags > 20)
  }

  @Test func `it takes the key from the environment`() throws {
    let (session, status) = try serve(
      #"APUS_STREAM_KEY=key exec apus stream "$F/movie.mov" --dialect legacy --no-pace rtmp://$URL/live 2>&1"#
    )
    #expect(status == 0, "\(session.output)")
  }

  @Test func `it reads a pipe as it comes`() throws {
    let (session, status) = try serve(
      #"cat "$F/legacy.flv" | apus stream - rtmp://$URL/live/key --dialect enhanced 2>&1"#)
    #expect(status == 0, "\(session.output)")
    #expect(session.tags > 20)
  }

  @Test func `it prints events that fit their schema`() throws {
    guard isInstalled("python3") else { return }
    let schema = Fixture.folder + "/../Sources/ApusCommand/Schemas/stream.schema.json"
    let check = Fixture.folder + "/../Scripts/checking/lines.py"
    let (session, status) = try serve(
      """
      apus stream "$F/hvc1.mp4" rtmp://$URL/live/key --dialect enhanced --json --speed 0.3 \
        | \(check.shellQuoted) \(schema.shellQuoted)
      """)
    #expect(status == 0)
    // Connecting, publishing, the server's yes, progress after one second, the end.
    #expect((Int(session.output.dropLast()) ?? 0) >= 5)
  }

  @Test(
    arguments: [
      ("", "IN is missing", 2), ("$F/movie.mov", "is missing", 2),
      ("$F/movie.mov rtmp://h/live/secret99 rtmp://h/live/secret99", "given twice", 2),
      ("rtmp://h/live/secret99 $F/movie.mov", "rtmp://", 2),
      ("$F/movie.mov rtmp://h/live", "has no stream key", 2),
      ("$F/movie.mov http://h/live/secret99", "begins with rtmp:// or rtmps://", 2),
      ("- rtmp://h/live --key-file -", "cannot be both", 2),
      ("$F/movie.mov rtmp://h/live/secret99 --speed 0", "expected a number", 2),
      ("$F/movie.mov rtmp://h/live/secret99 --speed 2 --no-pace", "cannot be combined", 2),
      ("$F/photo.heic rtmp://127.0.0.1:1/live/secret99", "photo.heic", 1),
      ("$F/none.mp4 rtmp://127.0.0.1:1/live/secret99", "cannot open", 1),
      ("$F/avc.flv rtmp://127.0.0.1:1/live/secret99", "connection refused", 1),
    ] as [(String, String, Int32)])
  func `it says what is wrong`(arguments: String, words: String, expected: Int32) throws {
    let (output, status) = try bash("apus stream \(arguments) 2>&1 < /dev/null")
    #expect(output.contains(words), "\(output)")
    #expect(status == expected)
    #expect(!output.contains("secret99"))
  }

  @Test(
    arguments: [
      ("rtmp://h/app/key", "rtmp://h/app/••••"), ("rtmp://h/app", "rtmp://h/app"),
      ("rtmps://u:p@h:1/app/inst/key?x", "rtmps://u:••••@h:1/app/••••"),
      ("--backup=RTMP://h/a/b and more", "--backup=RTMP://h/a/•••• and more"),
      ("\"rtmp://h/app?tok\" is", "\"rtmp://h/app••••\" is"), ("http://h/a/b", "http://h/a/b"),
      ("rtsp://u:p@cam/a/b is", "rtsp://u:••••@cam/a/b is"),
      ("https://h/a?t=1 is", "https://h/a•••• is"), ("xrtsp://u:p@h", "xrtsp://u:p@h"),
    ])
  func `it masks what is secret in an address`(text: String, masked: String) {
    #expect(SecretRanges.masked(text) == masked)
  }
}
