#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
    import FoundationNetworking
    import Glibc

    // Foundation: FoundationNetworking is linked to libcurl, which is how a process comes to have it.

    /// The functions of the libcurl on which FoundationNetworking stands, looked up in the process.
    ///
    /// They are not linked: where libcurl is part of the executable, or not there at all, ``shared`` is `nil`. Their names
    /// and numbers have been the same since 2016 (7.50) except for `curl_multi_wakeup`, of 2020 (7.68); what takes a
    /// variable number of arguments is called here with three, which on these processors and Linux is the same call.
    struct CurlLibrary: Sendable {
        typealias Handle = UnsafeMutableRawPointer
        /// Takes bytes, a size that is 1, a count, and what was set for it; returns how many it took.
        typealias Receiver = @convention(c) (UnsafePointer<UInt8>?, Int, Int, UnsafeMutableRawPointer?) -> Int

        let makeTransfer: @convention(c) () -> Handle?
        let destroyTransfer: @convention(c) (Handle?) -> Void
        let setNumber: @convention(c) (Handle?, CInt, Int) -> CInt
        let setPointer: @convention(c) (Handle?, CInt, UnsafeRawPointer?) -> CInt
        let setReceiver: @convention(c) (Handle?, CInt, Receiver) -> CInt
        let message: @convention(c) (CInt) -> UnsafePointer<CChar>?
        let appendLine: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
        let destroyLines: @convention(c) (UnsafeMutableRawPointer?) -> Void

        let makeLoop: @convention(c) () -> Handle?
        let destroyLoop: @convention(c) (Handle?) -> CInt
        let add: @convention(c) (Handle?, Handle?) -> CInt
        let remove: @convention(c) (Handle?, Handle?) -> CInt
        let perform: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> CInt
        let poll:
            @convention(c) (Handle?, UnsafeMutableRawPointer?, CUnsignedInt, CInt, UnsafeMutablePointer<CInt>?) -> CInt
        let wakeUp: @convention(c) (Handle?) -> CInt
        let nextMessage: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> UnsafeRawPointer?

        static let shared = CurlLibrary()

        private init?() {
            // Keeps the linker from leaving FoundationNetworking, and libcurl with it, away.
            _ = URLSession.self
            guard let makeTransfer: @convention(c) () -> Handle? = Self.function("curl_easy_init"),
                let destroyTransfer: @convention(c) (Handle?) -> Void = Self.function("curl_easy_cleanup"),
                let setOption = dlsym(nil, "curl_easy_setopt"),
                let message: @convention(c) (CInt) -> UnsafePointer<CChar>? = Self.function("curl_easy_strerror"),
                let appendLine:
                    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) ->
                        UnsafeMutableRawPointer? = Self.function("curl_slist_append"),
                let destroyLines: @convention(c) (UnsafeMutableRawPointer?) -> Void = Self.function(
                    "curl_slist_free_all"),
                let makeLoop: @convention(c) () -> Handle? = Self.function("curl_multi_init"),
                let destroyLoop: @convention(c) (Handle?) -> CInt = Self.function("curl_multi_cleanup"),
                let add: @convention(c) (Handle?, Handle?) -> CInt = Self.function("curl_multi_add_handle"),
                let remove: @convention(c) (Handle?, Handle?) -> CInt = Self.function("curl_multi_remove_handle"),
                let perform: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> CInt = Self.function(
                    "curl_multi_perform"),
                let poll:
                    @convention(c) (
                        Handle?, UnsafeMutableRawPointer?, CUnsignedInt, CInt, UnsafeMutablePointer<CInt>?
                    ) -> CInt = Self.function("curl_multi_poll"),
                let wakeUp: @convention(c) (Handle?) -> CInt = Self.function("curl_multi_wakeup"),
                let nextMessage: @convention(c) (Handle?, UnsafeMutablePointer<CInt>) -> UnsafeRawPointer? =
                    Self.function("curl_multi_info_read"),
                let prepare: @convention(c) (Int) -> CInt = Self.function("curl_global_init"), prepare(3) == 0
            else { return nil }
            self.makeTransfer = makeTransfer
            self.destroyTransfer = destroyTransfer
            setNumber = unsafeBitCast(setOption, to: (@convention(c) (Handle?, CInt, Int) -> CInt).self)
            setPointer = unsafeBitCast(setOption, to: (@convention(c) (Handle?, CInt, UnsafeRawPointer?) -> CInt).self)
            setReceiver = unsafeBitCast(setOption, to: (@convention(c) (Handle?, CInt, Receiver) -> CInt).self)
            self.message = message
            self.appendLine = appendLine
            self.destroyLines = destroyLines
            self.makeLoop = makeLoop
            self.destroyLoop = destroyLoop
            self.add = add
            self.remove = remove
            self.perform = perform
            self.poll = poll
            self.wakeUp = wakeUp
            self.nextMessage = nextMessage
        }

        private static func function<Function>(_ name: String) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
        }
    }
#endif
