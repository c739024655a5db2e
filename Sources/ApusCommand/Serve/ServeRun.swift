// SPDX-License-Identifier: MIT

import Files
import Glibc
import HTTP
import Media
import Synchronization
import Threads
import Transport

/// A server from its socket to its end.
struct ServeRun {
  private let verb: Serve
  private let service: ServeService
  private let keys: ServeKeys

  init(_ verb: Serve, _ service: ServeService, _ keys: ServeKeys) {
    self.verb = verb
    self.service = service
    self.keys = keys
  }

  func run(_ console: Console) throws -> ExitStatus {
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
    let (listener, address) = try listener()
    var options = HTTPServer.Options()
    options.connections = Int(verb.connections)
    options.headSeconds = verb.headSeconds.wholeSeconds
    options.bodySeconds = verb.bodySeconds.wholeSeconds
    let server = try HTTPServer(listener, options, handler: service)
    guard service.begin() else { throw MediaError(.limit, "no thread could be started") }
    console.note("listening at \(address) (requests are confined by \(Confinement.means))")
    Supervisor.tell("READY=1")
    Supervisor.watch()
    ending.wait { $0 ? () : nil }

    Supervisor.tell("STOPPING=1")
    service.drain()
    server.quiesce()
    let deadline = ContinuousClock.now + .milliseconds(verb.drain.milliseconds)
    while server.requests > 0, .now < deadline { usleep(20_000) }
    let late = server.requests
    if late > 0 {
      console.fail("\(late) requests were not finished within \(verb.drain.argument) s")
    } else {
      server.stop()
    }
    if case .path(let path) = verb.listen.place { removeSocket(at: path) }
    // What is under way ends with its parent.
    return late == 0 && Interruption.isTermination ? .done : Interruption.status
  }

  private func listener() throws -> (Int32, String) {
    switch verb.listen.place {
    case .network(let host, let port):
      let (descriptor, port) = try ListeningSocket.descriptor(host, port)
      var address = verb.listen
      address.place = .network(host: host, port: port)
      return (descriptor, "http://" + address.argument)
    case .path(let path): return (try listen(atPath: path), verb.listen.argument)
    case .descriptor(let number):
      guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else {
        throw FileError("use", "descriptor \(number)")
      }
      return (number, verb.listen.argument)
    }
  }
}
