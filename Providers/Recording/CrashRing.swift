import TacklineCLibrary
import TacklineCore
import TacklineFiles

// A ring in a file that is written with `pwrite`, and not mapped: bytes that the system has taken survive the end of the
// process as mapped ones do. But a mapped file ends the process with SIGBUS when the disk is full, when another process
// truncates the file, or when its pages can't be decrypted, and a record of crashes must not be the cause of one.

/// The layout of the file of a ``FlagCrashRecord``: slots of equal size, each written by one call of the system.
///
/// First come two slots for the head, then two for each flag, then those of the changes. A head or a flag is written to the
/// older of its two slots, and there is one slot more than changes are read. So whatever is torn, the entry before it stays.
/// A slot has a sequence number and a checksum, which also covers its place and the number of the launch: the slots of
/// earlier launches are void as soon as there is a new head.
struct CrashRingLayout: Equatable {
    static let slotSize = 512
    static let headSlots = 2
    static let changeLimit = 64
    static let maximumFlags = 4096
    /// The number of bytes of a slot before its content.
    static let prefixSize = 20
    static let contentSize = slotSize - prefixSize

    /// The number of flags for which there is room.
    var flagCount: Int

    func slot(ofFlag index: Int, write: Int) -> Int { Self.headSlots + 2 * index + write & 1 }
    func slot(ofChange number: Int) -> Int { Self.headSlots + 2 * flagCount + number % (Self.changeLimit + 1) }
    var slotCount: Int { Self.headSlots + 2 * flagCount + Self.changeLimit + 1 }
    var fileSize: Int { slotCount * Self.slotSize }

    static var maximumFileSize: Int { CrashRingLayout(flagCount: maximumFlags).fileSize }
}

/// The content of a slot.
struct CrashSlot {
    var sequence: UInt64
    var content: [String: EncodedFlagValue]

    /// Returns the bytes of a slot, or `nil` if the content is too large.
    func bytes(at index: Int, launch: UInt64) -> [UInt8]? {
        guard let content = try? FlagJSONWriter(layout: .compact).bytes(of: .object(content)),
            content.count <= CrashRingLayout.contentSize
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 8)
        Self.append(sequence, to: &bytes)
        Self.append(UInt32(content.count), to: &bytes)
        bytes += content
        let checksum = Self.checksum(bytes[8...], at: index, launch: launch)
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
        return bytes
    }

    /// Reads a slot, or returns `nil` if nothing whole is in it.
    init?(_ bytes: ArraySlice<UInt8>, at index: Int, launch: UInt64) {
        guard bytes.count > CrashRingLayout.prefixSize else { return nil }
        let start = bytes.startIndex
        let size = Int(Self.number(UInt32.self, bytes[(start + 16)...]))
        guard size <= bytes.count - CrashRingLayout.prefixSize, size <= CrashRingLayout.contentSize else { return nil }
        let end = start + CrashRingLayout.prefixSize + size
        let checksum = Self.number(UInt64.self, bytes)
        guard checksum == Self.checksum(bytes[(start + 8)..<end], at: index, launch: launch) else { return nil }
        let reader = FlagJSONReader(requiresObject: true)
        let content = try? reader.read(Array(bytes[(start + CrashRingLayout.prefixSize)..<end]))
        guard case .object(let members)? = content else { return nil }
        sequence = Self.number(UInt64.self, bytes[(start + 8)...])
        self.content = members
    }

    init(sequence: UInt64, content: [String: EncodedFlagValue]) { (self.sequence, self.content) = (sequence, content) }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    private static func number<Number: FixedWidthInteger>(_: Number.Type, _ bytes: ArraySlice<UInt8>) -> Number {
        bytes.prefix(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>, at index: Int, launch: UInt64) -> UInt64 {
        var place: [UInt8] = []
        append(launch, to: &place)
        append(UInt64(index), to: &place)
        return RecordedFlagValue.hash(of: bytes, after: RecordedFlagValue.hash(of: place))
    }
}

/// The head of the file.
struct CrashHead: Equatable {
    /// A random number.
    var launch: UInt64
    var sequence: UInt64
    var layout: CrashRingLayout
    /// The beginning of the launch, in seconds since 1970.
    var began: Double
    var process: Int32
    /// Whether there were more flags than there is room for.
    var hasMoreFlags = false

    var slot: CrashSlot {
        CrashSlot(
            sequence: sequence,
            content: [
                "tacklineCrashRecord": 1, "launch": .string(String(launch, radix: 16)), "began": .double(began),
                "flagCount": .integer(Int128(layout.flagCount)), "process": .integer(Int128(process)),
                "hasMoreFlags": .bool(hasMoreFlags),
            ])
    }

    /// Reads the newer one of the two heads, or returns `nil` if there is none.
    init?(file: [UInt8]) {
        let heads = (0..<CrashRingLayout.headSlots).compactMap { index -> CrashHead? in
            CrashSlot(file.slot(index), at: index, launch: 0).flatMap { CrashHead($0) }
        }
        guard let newest = heads.max(by: { $0.sequence < $1.sequence }) else { return nil }
        self = newest
    }

    private init?(_ slot: CrashSlot) {
        guard slot.content["tacklineCrashRecord"] == 1, case .string(let launch)? = slot.content["launch"],
            let launch = UInt64(launch, radix: 16), case .integer(let count)? = slot.content["flagCount"],
            (0...Int128(CrashRingLayout.maximumFlags)).contains(count),
            let began = slot.content["began"].flatMap({ try? Double(encoded: $0) }),
            let process = slot.content["process"].flatMap({ try? Int32(encoded: $0) })
        else { return nil }
        self.init(
            launch: launch, sequence: slot.sequence, layout: CrashRingLayout(flagCount: Int(count)), began: began,
            process: process, hasMoreFlags: slot.content["hasMoreFlags"] == true)
    }

    init(
        launch: UInt64, sequence: UInt64, layout: CrashRingLayout, began: Double, process: Int32,
        hasMoreFlags: Bool = false
    ) {
        (self.launch, self.sequence, self.layout) = (launch, sequence, layout)
        (self.began, self.process, self.hasMoreFlags) = (began, process, hasMoreFlags)
    }
}

extension [UInt8] {
    /// Returns the bytes of a slot that are there.
    func slot(_ index: Int) -> ArraySlice<UInt8> {
        let start = Swift.min(index * CrashRingLayout.slotSize, count)
        return self[start..<Swift.min(start + CrashRingLayout.slotSize, count)]
    }
}

/// An open and locked file of slots.
final class CrashRing {
    private let file: OpenFile
    private(set) var head: CrashHead
    private var sequence: UInt64 = 0

    /// The report on the launch before, or `nil` if there was none.
    let last: FlagCrashReport?
    /// The path at which a file is kept that was no whole record, or `nil` if there was none.
    let asidePath: String?

    /// Opens the first file of a name that no other process has, and begins a launch in it.
    ///
    /// - Throws: ``FileFailure`` or ``SystemCallError``.
    init(path: String, flagCount: Int, began: Double) throws {
        try LocalPath.makeFolder(LocalPath.folder(of: path))
        var file = try Self.openFree(path)
        // `nil` if it is larger than a record can be.
        var bytes = try file.contents(limit: CrashRingLayout.maximumFileSize)
        var asidePath: String?
        if bytes.map({ !$0.isEmpty && CrashHead(file: $0) == nil }) ?? true {
            // It is damaged, or another program's.
            let aside = LocalPath.freeDatedName(beside: file.path)
            try SystemCallError.check("rename", file.path) { rename(file.path, aside) }
            asidePath = aside
            file = try Self.openFree(path)
            bytes = []
        }
        let old = bytes.flatMap { CrashHead(file: $0) }
        last = bytes.flatMap { FlagCrashReport(bytes: $0) }
        self.asidePath = asidePath
        head = CrashHead(
            launch: .random(in: 1 ... .max), sequence: (old?.sequence ?? 0) &+ 1,
            layout: CrashRingLayout(flagCount: Swift.min(Swift.max(flagCount, 1), CrashRingLayout.maximumFlags)),
            began: began, process: getpid())
        // The slots of the launch before are void, so a file that is too long is cut off without loss.
        let size = head.layout.fileSize
        if let count = bytes?.count, count > size {
            try SystemCallError.check("ftruncate", file.path) { ftruncate(file.descriptor, off_t(size)) }
        }
        self.file = file
        try writeHead()
    }

    deinit {
        // A child process that has been forked and not yet replaced by its program has the file open, too.
        flock(file.descriptor, LOCK_UN)
    }

    /// The maximum number of processes that share a name.
    private static let maximumFiles = 8

    /// Opens and locks the first file of a name that no other process has.
    private static func openFree(_ path: String) throws -> OpenFile {
        try LocalPath.makeFolder(LocalPath.folder(of: path))
        for number in 1...maximumFiles {
            let path = number == 1 ? path : "\(path)-\(number)"
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            if let kind = try file.attributes().irregularKind { throw FileFailure.notRegular(kind) }
            if try file.tryLock() { return file }
        }
        throw FileFailure.busy(.zero)
    }

    private func writeHead() throws(SystemCallError) {
        try write(head.slot, at: Int(head.sequence & 1), launch: 0)
    }

    /// Notes that there are more flags than there is room for.
    func noteMoreFlags() throws(SystemCallError) {
        guard !head.hasMoreFlags else { return }
        head.hasMoreFlags = true
        head.sequence &+= 1
        try writeHead()
    }

    /// Writes the content of a slot.
    func write(_ content: [String: EncodedFlagValue], at index: Int) throws(SystemCallError) {
        sequence += 1
        try write(CrashSlot(sequence: sequence, content: content), at: index, launch: head.launch)
    }

    private func write(_ slot: CrashSlot, at index: Int, launch: UInt64) throws(SystemCallError) {
        guard let bytes = slot.bytes(at: index, launch: launch) else { return }
        let count = try SystemCallError.check("write", file.path) {
            bytes.withUnsafeBytes { OpenFile.systemWriting(file.descriptor, $0, index * CrashRingLayout.slotSize) }
        }
        if count < bytes.count { throw SystemCallError(call: "write", path: file.path, number: ENOSPC) }
    }
}
