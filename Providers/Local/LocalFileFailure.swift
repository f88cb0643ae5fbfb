import TacklineCLibrary
public import TacklineCore
import TacklineFiles

/// A reason why a file could not be read or written.
struct LocalFileFailure: Error {
    let code: FlagError.Code
    /// The cause, as it reads after a colon.
    let cause: String
    /// The next step, or `nil` for the usual one.
    let advice: String?

    static let notAFile = LocalFileFailure(
        .inputOutput, "it is not the address of a file", "Use a URL made with URL(filePath:)")

    init(_ code: FlagError.Code, _ cause: String, _ advice: String? = nil) {
        (self.code, self.cause, self.advice) = (code, cause, advice)
    }

    init(_ failure: FileFailure) {
        switch failure {
        // The system encrypts files while the device is locked, and restricts each app to its containers.
        case .system(_, _, EPERM):
            self.init(
                .notPermitted,
                "it is protected and the device is locked, or this process may not use the place: \(failure)",
                """
                A protected file is read again when the device is unlocked; give one that is needed before the protection \
                completeUntilFirstUserAuthentication, or name a file in the container of the app or of its App Group
                """)
        case .system(_, _, let number): self.init(.inputOutput, "\(failure)", Self.advice(for: number))
        case .notRegular: self.init(.inputOutput, "\(failure)", "Name a regular file")
        case .tooLarge: self.init(.unreadable, "\(failure)", "Split the file, or keep large values elsewhere")
        case .busy: self.init(.fileBusy, "\(failure)", "Try again, or find out which process holds the lock")
        case .suspending:
            self.init(
                .suspending, "\(failure)",
                """
                Write before the app goes to the background, or with a writeDelay: what is gathered is written when it is back
                """)
        }
    }

    private static func advice(for number: CInt) -> String {
        switch number {
        case ENOSPC, EDQUOT: "Free space on the volume, then set the value again"
        case EACCES: "Give this process permission for the file and its folder"
        case EROFS: "Choose a folder on a volume that can be written"
        default: "Check the file, its folder and the disk"
        }
    }
}

extension FlagError.Code {
    /// The format of the provider's documents can't be written.
    public static let readOnly: FlagError.Code = "read-only"
    /// Another writer held the lock of a file for longer than the limit.
    public static let fileBusy: FlagError.Code = "file-busy"
    /// A file may not be accessed, either now because it is protected and the device is locked, or never.
    public static let notPermitted: FlagError.Code = "not-permitted"
    /// The process is about to be suspended, so nothing may be locked.
    public static let suspending: FlagError.Code = "suspending"
    /// Deferred values could not be written to a file. They are in force, but only in memory.
    public static let unwrittenFile = FlagError.Code("unwritten-file")
}
