import TacklineCLibrary

extension OpenFile {
    /// Copies the attributes of the file at a path, apart from its contents and its permissions.
    ///
    /// These are extended attributes, including access control lists and the exclusion from backups, and on Apple
    /// platforms the data protection class. Attributes that the file system or this process can't set, such as a label
    /// of the system, are left out. Those that this file has and the other one hasn't, such as an access control list
    /// that it got from its folder, are removed.
    package borrowing func adoptAttributes(of path: String) throws(SystemCallError) {
        let old = try OpenFile(path, O_RDONLY)
        #if canImport(Darwin)
            let flags = copyfile_flags_t(COPYFILE_XATTR) | copyfile_flags_t(COPYFILE_ACL)
            try OpenFile.allowingRefusal { () throws(SystemCallError) in
                try SystemCallError.check("fcopyfile", path) { fcopyfile(old.descriptor, descriptor, nil, flags) }
            }
            let protection = fcntl(old.descriptor, F_GETPROTECTIONCLASS)
            if protection > 0 { _ = fcntl(descriptor, F_SETPROTECTIONCLASS, protection) }
        #elseif os(Linux)
            let names = try old.attributeNames()
            for name in try attributeNames() where !names.contains(name) && !name.hasPrefix("security.") {
                try OpenFile.allowingRefusal { () throws(SystemCallError) in
                    try SystemCallError.check("fremovexattr", path) { fremovexattr(descriptor, name) }
                }
            }
            for name in names {
                try OpenFile.allowingRefusal { () throws(SystemCallError) in
                    let value = try old.attribute(name)
                    try SystemCallError.check("fsetxattr", path) {
                        fsetxattr(descriptor, name, value, value.count, 0)
                    }
                }
            }
        #endif
    }

    /// Runs a call and ignores errors that mean that it isn't permitted or isn't supported.
    private static func allowingRefusal(_ body: () throws(SystemCallError) -> Void) throws(SystemCallError) {
        do throws(SystemCallError) {
            try body()
        } catch {
            guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.number) else { throw error }
        }
    }

    #if os(Linux)
        /// Returns the names of all extended attributes that this process can read.
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

        /// Repeats a call until its buffer is large enough, because another process may lengthen the result meanwhile.
        private borrowing func grown(
            _ call: String, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
        ) throws(SystemCallError) -> [CChar] {
            while true {
                var bytes = [CChar](repeating: 0, count: try SystemCallError.check(call, path) { body(nil, 0) })
                // A size of zero would request the size again.
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

    @_silgen_name("fremovexattr")
    private func fremovexattr(_ file: CInt, _ name: UnsafePointer<CChar>) -> CInt

    @_silgen_name("fsetxattr")
    private func fsetxattr(
        _ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?, _ size: Int, _ flags: CInt
    ) -> CInt
#endif
