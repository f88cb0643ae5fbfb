#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

public import TacklineCore

/// Why a file could not be read or written.
indirect enum LocalFileFailure: Error {
    /// The address is not one of a file.
    case notAFile
    /// There is no file where there has to be one.
    case absent
    /// There is a folder, a pipe, a socket or a device in its place.
    case notRegular(String)
    /// The operating system refused.
    case system(SystemCallError)
    /// It is not permitted, most often because the device is locked and the file cannot be decrypted.
    case notPermitted(SystemCallError)
    /// It is longer, or would be longer, than the limit.
    case tooLarge(limit: Int)
    /// Its content is not what its format asks for; place and mistake.
    case syntax(String)
    /// It can be read, and is no document in the format that the provider was told.
    case document(String, format: String)
    /// The format of its documents is only read.
    case readOnly(format: String)
    /// A value cannot be kept in the format.
    case value(FlagValueError)
    /// Values are fine one by one, and what was to be written could not be read again.
    case unreadableResult(LocalFileFailure)
    /// The file that is to be changed cannot be read.
    case unreadableFile(LocalFileFailure)
    /// Other writers held the lock too long.
    case busy(Duration)
    /// The process is about to be suspended, and must not hold a lock then.
    case suspending

    /// The same, with what "Operation not permitted" means on a system that protects files while the device is locked, and
    /// keeps each app to its containers.
    func whereFilesAreProtected(_ areProtected: Bool) -> LocalFileFailure {
        guard areProtected, case .system(let error) = self, error.number == EPERM else { return self }
        return .notPermitted(error)
    }

    /// Whether the file was read, and its content is the trouble.
    var isAboutContent: Bool {
        switch self {
        case .tooLarge, .syntax, .document: true
        default: false
        }
    }

    /// The failure to read as an error that names file and cause.
    func readingError(provider: String, path: String) -> FlagProviderError {
        FlagProviderError(
            code,
            provider: provider,
            reason: "\(path) cannot be read: \(cause)",
            advice: advice ?? "Correct the file; until then it is neither used nor overwritten"
        )
    }

    /// The failure to write as an error that names file and cause.
    func writingError(
        provider: String,
        path: String,
        subject: (key: FlagKeyPath?, value: EncodedFlagValue?)
    ) -> FlagProviderError {
        FlagProviderError(
            code,
            provider: provider,
            key: subject.key,
            value: subject.value,
            reason: "\(path) was not written, and nothing has changed: \(cause)",
            advice: advice
        )
    }

    private var code: FlagProviderError.Code {
        switch self {
        case .notAFile, .absent, .notRegular, .system: .inputOutput
        case .notPermitted: .notPermitted
        case .tooLarge, .syntax, .document: .unreadable
        case .value, .unreadableResult: .unsupportedValue
        case .readOnly: .readOnly
        case .unreadableFile(let failure): failure.code
        case .busy: .fileBusy
        case .suspending: .suspending
        }
    }

    private var cause: String {
        switch self {
        case .notAFile: "it is not the address of a file"
        case .absent: "there is no such file"
        case .notRegular(let kind): "it is \(kind), not a regular file"
        case .system(let error): "\(error.reason) (\(error.call) \(error.path))"
        case .notPermitted(let error):
            """
            it is protected and the device is locked, or this process may not use the place: \(error.reason) \
            (\(error.call) \(error.path))
            """
        case .tooLarge(let limit): "it takes more than \(limit) bytes"
        case .syntax(let mistake): mistake
        case .document(let mistake, let format): "it is no document in the format \(format): \(mistake)"
        case .readOnly(let format): "a document in the format \(format) is only read"
        case .value(let error): "\(error)"
        case .unreadableResult(let failure): "it could not be read again: \(failure.cause)"
        case .unreadableFile(let failure): "what it holds now cannot be read: \(failure.cause)"
        case .busy(let limit): "other writers kept it locked for \(limit)"
        case .suspending: "the process is about to be suspended"
        }
    }

    private var advice: String? {
        switch self {
        case .notAFile: "Use a URL made with URL(filePath:)"
        case .absent: "Check the path, and that the file is shipped with the program: in an app, copied into its bundle"
        case .notRegular: "Name a regular file"
        case .system(let error): LocalFileFailure.advice(for: error.number)
        case .notPermitted:
            """
            A protected file is read again when the device is unlocked; give one that is needed before the protection \
            completeUntilFirstUserAuthentication. Otherwise name a file in the container of the app or of its App Group
            """
        case .tooLarge: "Raise maximumBytes if so much is intended"
        case .syntax, .document, .value: nil
        case .readOnly:
            """
            Write to a provider before this one, such as FlagOverrides or a LocalProvider with a file of values, or change \
            the rules in the document
            """
        case .unreadableResult: "Use shorter keys and fewer levels"
        case .unreadableFile(let failure):
            failure.advice ?? "Correct or move the file, or make the provider with recovery: .setAside"
        case .busy: "Try again, or find out which process holds the lock"
        case .suspending:
            "Write before the app goes to the background, or with a writeDelay: what is gathered is written when it is back"
        }
    }

    private static func advice(for number: CInt) -> String? {
        switch number {
        case ENOSPC, EDQUOT: "Free space on the volume, then set the value again"
        case EFBIG: "Raise the limit on the size of files, then set the value again"
        case EACCES, EPERM: "Give this process permission for the file and its folder"
        case EROFS: "Choose a folder on a volume that can be written"
        case EISDIR, ENXIO: "Name a regular file"
        case ELOOP: "Remove the symbolic links that lead in a circle"
        default: nil
        }
    }
}

extension FlagProviderError.Code {
    /// The provider's documents are in a format that is only read.
    public static let readOnly: FlagProviderError.Code = "read-only"
    /// Another writer held a file's lock for longer than the limit.
    public static let fileBusy: FlagProviderError.Code = "file-busy"
    /// A file may not be used at present, since it is protected and the device locked, or never.
    public static let notPermitted: FlagProviderError.Code = "not-permitted"
    /// The process is about to be suspended, so nothing may be locked.
    public static let suspending: FlagProviderError.Code = "suspending"
}
