#if os(Linux)
    import Foundation
    import TacklineCore
    import TacklineLocal
    import Testing

    @Suite(
        "The attributes of a local file", .enabled(if: AttributedFolder.isSupported, "need a file system that has them")
    )
    struct LocalFileAttributesTests {
        @Test("and its access control list survive a write, and it takes no list of its folder")
        func survive() throws {
            let folder = try AttributedFolder()
            let (url, plain) = (folder.url.appending(path: "a.json"), folder.url.appending(path: "b.json"))
            for file in [url, plain] {
                try Data("{}".utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            }
            let own = AttributedFolder.list(user: 12345, 4)
            try #require(AttributedFolder.set(own, "system.posix_acl_access", url))
            try #require(AttributedFolder.set(Array("kept".utf8), "user.note", url))
            // The list that new files get now is not that of files that were there before.
            try #require(
                AttributedFolder.set(AttributedFolder.list(user: 12346, 6), "system.posix_acl_default", folder.url))
            for file in [url, plain] {
                try LocalProvider(localURL: file).setValue(1, for: "x")
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o640)
            }
            #expect(AttributedFolder.get("system.posix_acl_access", url) == own)
            #expect(AttributedFolder.get("user.note", url) == Array("kept".utf8))
            #expect(AttributedFolder.get("system.posix_acl_access", plain) == nil)
        }
    }

    /// A folder on a disk, because file systems in memory have no attributes in older kernels.
    private final class AttributedFolder {
        let url = FileManager.default.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(at: url) }

        /// Whether the disk has attributes of users and access control lists.
        static var isSupported: Bool {
            guard let folder = try? AttributedFolder() else { return false }
            return set([1], "user.note", folder.url) && set(list(user: 1, 4), "system.posix_acl_access", folder.url)
        }

        /// Returns an access control list that gives a user some permissions, as the kernel keeps it.
        static func list(user: UInt32, _ permissions: UInt16) -> [UInt8] {
            // The owner, the user, the group, the mask and all others.
            let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
                (1, 6, .max), (2, permissions, user), (4, 4, .max), (16, 4, .max), (32, 0, .max),
            ]
            func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
                withUnsafeBytes(of: number.littleEndian) { Array($0) }
            }
            return bytes(UInt32(2)) + entries.flatMap { bytes($0.tag) + bytes($0.permissions) + bytes($0.id) }
        }

        static func set(_ value: [UInt8], _ name: String, _ file: URL) -> Bool {
            setxattr(file.path, name, value, value.count, 0) == 0
        }

        static func get(_ name: String, _ file: URL) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 1000)
            let count = getxattr(file.path, name, &bytes, bytes.count)
            return count < 0 ? nil : Array(bytes.prefix(count))
        }
    }

    @_silgen_name("setxattr")
    private func setxattr(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafePointer<UInt8>, _ size: Int,
        _ flags: CInt
    ) -> CInt

    @_silgen_name("getxattr")
    private func getxattr(
        _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeMutablePointer<UInt8>, _ size: Int
    ) -> Int
#endif
