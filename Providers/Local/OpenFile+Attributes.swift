#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension OpenFile {
    /// Gives the file what the one at a path has beside its content and its permissions.
    ///
    /// These are extended attributes, with them access lists and the exclusion from backups, and on Apple's systems the
    /// class of its protection. What the file system or this process may not set, such as a label of the system's own, is
    /// left out.
    borrowing func adoptAttributes(of path: String) throws(SystemCallError) {
        let old = try OpenFile(path, O_RDONLY)
        #if canImport(Darwin)
            let flags = copyfile_flags_t(COPYFILE_XATTR) | copyfile_flags_t(COPYFILE_ACL)
            try OpenFile.allowingRefusal { () throws(SystemCallError) in
                try SystemCallError.check("fcopyfile", path) { fcopyfile(old.descriptor, descriptor, nil, flags) }
            }
            let protection = fcntl(old.descriptor, F_GETPROTECTIONCLASS)
            if protection > 0 { _ = fcntl(descriptor, F_SETPROTECTIONCLASS, protection) }
        #elseif os(Linux)
            for name in try old.attributeNames() {
                try OpenFile.allowingRefusal { () throws(SystemCallError) in
                    let value = try old.attribute(name)
                    try SystemCallError.check("fsetxattr", path) {
                        fsetxattr(descriptor, name, value, value.count, 0)
                    }
                }
            }
        #endif
    }

    /// Does something that this process may not be permitted to do, or that the file system may not offer.
    private static func allowingRefusal(_ body: () throws(SystemCallError) -> Void) throws(SystemCallError) {
        do throws(SystemCallError) {
            try body()
        } catch {
            guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) else { throw error }
        }
    }

    #if os(Linux)
        /// The names of all extended attributes that this process may see.
        private borrowing func attributeNames() throws(SystemCallError) -> [String] {
            var bytes: [CChar] = []
            try OpenFile.allowingRefusal { () throws(SystemCallError) in
                bytes = try grown("flistxattr") { buffer, size in flistxattr(descriptor, buffer, size) }
            }
            return bytes.split(separator: 0).map { String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
        }

        private borrowing func attribute(_ name: String) throws(SystemCallError) -> [CChar] {
            try grown("fgetxattr") { buffer, size in fgetxattr(descriptor, name, buffer, size) }
        }

        /// Calls until there is room for the answer, which somebody else may lengthen meanwhile.
        private borrowing func grown(
            _ call: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
        ) throws(SystemCallError) -> [CChar] {
            while true {
                var bytes = [CChar](repeating: 0, count: try SystemCallError.check(call, path) { body(nil, 0) })
                // A size of zero would ask for the size again.
                if bytes.isEmpty { return bytes }
                let count = body(&bytes, bytes.count)
                if count >= 0 { return Array(bytes.prefix(count)) }
                let number = errno
                guard number == ERANGE else { throw SystemCallError(call: call, path: path, number: number) }
            }
        }
    #endif
}

#if os(Linux)
    // The modules of the C libraries leave out <sys/xattr.h>. These are the calls of xattr(7).

    @_silgen_name("flistxattr")
    private func flistxattr(_ file: CInt, _ list: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int

    @_silgen_name("fgetxattr")
    private func fgetxattr(
        _ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int

    @_silgen_name("fsetxattr")
    private func fsetxattr(
        _ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?, _ size: Int, _ flags: CInt
    ) -> CInt
#endif
