#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
    import Foundation
    import Glibc
    import Synchronization

    // Foundation: `Thread` is what blocks, `URL` what redirects lead to.

    /// Carries one exchange, redirects included, on a thread of its own by libcurl.
    final class CurlTransfer: HTTPExchangeWork {
        private struct Control {
            /// The address of what ``cancel()`` wakes, while there is one.
            var loop: UInt?
            var isCancelled = false
        }

        private let library: CurlLibrary
        private let exchange: HTTPExchange
        private let authorities: String?
        /// Held while the loop is woken, so that it is not destroyed meanwhile.
        private let control = Mutex(Control())

        init(_ exchange: HTTPExchange, library: CurlLibrary, authorities: String?) {
            self.authorities = authorities
            self.exchange = exchange
            self.library = library
        }

        func resume() {
            Thread.detachNewThread { self.run() }
        }

        func cancel() {
            control.withLock { control in
                control.isCancelled = true
                if let loop = control.loop { _ = library.wakeUp(UnsafeMutableRawPointer(bitPattern: loop)) }
            }
        }

        private var isCancelled: Bool { control.withLock { $0.isCancelled } }

        private func run() {
            Self.holdBackBrokenPipes()
            var url = exchange.request.url
            var headers = exchange.request.headers
            while !isCancelled {
                let answer = CurlAnswer(exchange)
                let error = perform(url, headers, answer)
                guard let location = answer.redirect else { return finish(answer, error) }
                let target = URL(string: location, relativeTo: url)?.absoluteURL
                guard let next = exchange.didReceiveRedirect(to: target), let target else { return }
                url = target
                headers = next
            }
        }

        private func finish(_ answer: CurlAnswer, _ error: HTTPTransportError?) {
            if let error { return exchange.didComplete(error) }
            guard answer.lines.isComplete else {
                let reason = "the server closed the connection before its header was complete"
                return exchange.didComplete(HTTPTransportError(.connection, reason: reason))
            }
            exchange.didComplete(nil)
        }

        /// Makes one request, and waits for its end or its cancellation.
        private func perform(_ url: URL, _ headers: HTTPHeaders, _ answer: CurlAnswer) -> HTTPTransportError? {
            guard let transfer = library.makeTransfer() else { return Self.outOfMemory }
            defer { library.destroyTransfer(transfer) }
            let request = CurlRequest(library, transfer)
            defer { request.end() }
            guard let loop = library.makeLoop() else { return Self.outOfMemory }
            defer {
                control.withLock { $0.loop = nil }
                _ = library.remove(loop, transfer)
                _ = library.destroyLoop(loop)
            }
            let wasCancelled = control.withLock { control in
                control.loop = UInt(bitPattern: loop)
                return control.isCancelled
            }
            guard !wasCancelled, request.set(url, headers, authorities: authorities, answer) else {
                return Self.outOfMemory
            }
            _ = library.add(loop, transfer)
            var running: CInt = 0
            while library.perform(loop, &running) == 0, running > 0, !isCancelled {
                _ = library.poll(loop, nil, 0, 1000, nil)
            }
            return withExtendedLifetime(answer) { result(of: loop, request) }
        }

        private func result(of loop: CurlLibrary.Handle, _ request: CurlRequest) -> HTTPTransportError? {
            var rest: CInt = 0
            guard let message = library.nextMessage(loop, &rest) else {
                return isCancelled
                    ? HTTPTransportError(.cancelled, reason: "the request was cancelled") : Self.outOfMemory
            }
            // struct CURLMsg { CURLMSG msg; CURL *easy_handle; union { void *whatever; CURLcode result; } data; }
            let code = message.load(fromByteOffset: 16, as: CInt.self)
            return code == 0 ? nil : request.error(code)
        }

        private static var outOfMemory: HTTPTransportError {
            HTTPTransportError(.connection, reason: "libcurl could not begin the request")
        }

        /// TLS may write to a connection that the server has closed, which must not end the process.
        private static func holdBackBrokenPipes() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }
#endif
