#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
    import Foundation

    // Foundation: `URL` is where requests go.

    /// One transfer of libcurl, set up for a GET request.
    final class CurlRequest {
        /// Numbers from `curl/curl.h`, which never change.
        private enum Option {
            static let errorBuffer: CInt = 10010
            static let url: CInt = 10002
            static let headers: CInt = 10023
            static let certificates: CInt = 10065
            static let acceptedEncoding: CInt = 10102
            static let writeData: CInt = 10001
            static let headerData: CInt = 10029
            static let writeFunction: CInt = 20011
            static let headerFunction: CInt = 20079
            static let noSignals: CInt = 99
            static let protocols: CInt = 181
            static let hidesProxyHeaders: CInt = 265
        }

        private let library: CurlLibrary
        private let transfer: CurlLibrary.Handle
        private let message = UnsafeMutablePointer<CChar>.allocate(capacity: 256)
        private var lines: UnsafeMutableRawPointer?

        init(_ library: CurlLibrary, _ transfer: CurlLibrary.Handle) {
            self.library = library
            self.transfer = transfer
            message.initialize(repeating: 0, count: 256)
        }

        /// Gives everything back; the transfer must not go on after it.
        func end() {
            _ = library.setPointer(transfer, Option.errorBuffer, nil)
            library.destroyLines(lines)
            message.deallocate()
        }

        /// - Parameters:
        ///   - authorities: The file with the certificates to trust, or `nil` for those of the system.
        ///   - answer: Is told what comes, and must live as long as the transfer.
        /// - Returns: `false` if there is no memory.
        func set(_ url: URL, _ headers: HTTPHeaders, authorities: String?, _ answer: CurlAnswer) -> Bool {
            let pointer = Unmanaged.passUnretained(answer).toOpaque()
            for field in headers.fields { append(field) }
            var results = [
                library.setPointer(transfer, Option.errorBuffer, message),
                url.absoluteString.withCString { library.setPointer(transfer, Option.url, $0) },
                library.setPointer(transfer, Option.headers, lines),
                // Asks for no compression; what comes compressed nevertheless is decoded.
                "identity".withCString { library.setPointer(transfer, Option.acceptedEncoding, $0) },
                library.setNumber(transfer, Option.noSignals, 1),
                library.setNumber(transfer, Option.protocols, 1 | 2),  // http, https
                library.setPointer(transfer, Option.writeData, pointer),
                library.setPointer(transfer, Option.headerData, pointer),
                library.setReceiver(transfer, Option.writeFunction) { bytes, _, count, answer in
                    let body = UnsafeBufferPointer(start: bytes, count: count)
                    return CurlAnswer.behind(answer)?.receive(body: body) == true ? count : count ^ 1
                },
                library.setReceiver(transfer, Option.headerFunction) { bytes, _, count, answer in
                    let line = UnsafeBufferPointer(start: bytes, count: count)
                    return CurlAnswer.behind(answer)?.receive(line: line) == true ? count : count ^ 1
                },
            ]
            if let authorities {
                results.append(authorities.withCString { library.setPointer(transfer, Option.certificates, $0) })
            }
            // Older ones do not know it, and only show us a header more.
            _ = library.setNumber(transfer, Option.hidesProxyHeaders, 1)
            return results.allSatisfy { $0 == 0 }
        }

        /// Describes a `CURLcode`.
        func error(_ number: CInt) -> HTTPTransportError {
            let code: HTTPTransportError.Code =
                switch number {
                case 18, 61: .incomplete  // CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING
                case 28: .timedOut  // CURLE_OPERATION_TIMEDOUT
                case 100: .headerTooLarge  // CURLE_TOO_LARGE
                default: .connection
                }
            let text =
                message.pointee == 0 ? library.message(number).map { String(cString: $0) } : String(cString: message)
            return HTTPTransportError(code, reason: "the request failed: \(text ?? "libcurl \(number)")")
        }

        private func append(_ field: HTTPHeaders.Field) {
            // A line break would begin a field of its own.
            let text = "\(field.name)\(field.value.isEmpty ? ";" : ": \(field.value)")"
            let line = String(decoding: text.utf8.filter { ![0x0D, 0x0A, 0].contains($0) }, as: UTF8.self)
            guard let longer = library.appendLine(lines, line) else { return }
            lines = longer
        }
    }
#endif
