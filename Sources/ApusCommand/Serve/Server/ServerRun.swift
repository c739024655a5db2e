// SPDX-License-Identifier: MIT

import ApusFiles
import ApusHTTP
import ApusMedia
import ApusThreads
import ApusTransport
import Glibc
import Synchronization

/// A server from its socket to its end.
struct ServerRun {
  let address: ListenAddress
  let options: HTTPServer.Options
  /// The time that requests under way have at the end.
  let drain: MediaTime
  let handler: RequestHandler
  let keys: ClientKeys

  func run(_ console: Console) throws -> ExitStatus {
    guard Confinement.isPossible else {
      throw FileError(
        "confine", "requests", reason: "this system lacks seccomp, as emulators of a processor do")
    }
    let ending = Monitor(false)
    Interruption.watch(
      endsPipes: false,
      onHangup: { [keys] in
        do {
          try keys.read()
        } catch {
          Console().warn("\(error); the keys stay what they were")
        }
      }, { ending.change { $0 = true } })
    Confinement.hideMemory()
    let (listener, text) = try listener()
    let server = try HTTPServer(listener, options, handler: handler)
    guard handler.begin() else { throw MediaError.noThread }
    console.note("listening at \(text) (requests are confined by \(Confinement.means))")
    Supervisor.tell("READY=1")
    Supervisor.watch()
    ending.wait { $0 ? () : nil }

    Supervisor.tell("STOPPING=1")
    handler.drain()
    server.quiesce()
    let deadline = SuspendingClock.now + .milliseconds(drain.milliseconds)
    while server.requests > 0, .now < deadline { usleep(20_000) }
    let late = server.requests
    if late > 0 {
      console.fail("\(late) requests were not finished within \(drain.argument) s")
    } else {
      server.stop()
    }
    if case .path(let path) = address.place { removeSocket(at: path) }
    // Processes that are still working end with their parent.
    return late == 0 && Interruption.isTermination ? .done : Interruption.status
  }

  private func listener() throws -> (Int32, String) {
    switch address.place {
    case .network(let host, let port):
      let (descriptor, port) = try ListeningSocket.descriptor(host, port)
      var found = address
      found.place = .network(host: host, port: port)
      return (descriptor, "http://" + found.argument)
    case .path(let path): return (try listen(atPath: path), address.argument)
    case .descriptor(let number):
      guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else {
        throw FileError("use", "descriptor \(number)")
      }
      return (number, address.argument)
    }
  }
}
