/// A write to providers that did not, or not wholly, succeed.
public struct FlagWriteError: Error, Sendable, Hashable {
    /// Why a write failed.
    public enum Reason: Sendable, Hashable {
        /// A provider refused or failed. It kept what it had before.
        case provider(FlagProviderError)
        /// No provider of the chain can be written to.
        case noWritableProvider
        /// The chain has no provider of this type, name or identity.
        case notInChain(String)
        /// The named provider cannot be written to.
        case notWritable(String)
        /// The value has no neutral form, or the flag's type refuses it.
        case value(FlagValueError)
        /// No loader bound the flag, or its loader is gone.
        case unbound
    }

    /// The flag; `nil` if no loader bound it.
    public let key: FlagKeyPath?
    /// What went wrong.
    public let reason: Reason
    /// The ids of the providers that took the value before that, in the order of the writes. They keep it.
    public let written: [String]
}

extension FlagWriteError: CustomStringConvertible {
    /// What happened, where, and what to do next.
    public var description: String {
        let subject = key.map { "Flag \"\($0)\" was not written" } ?? "A flag was not written"
        let cause =
            switch reason {
            case .provider(let error): "\(error)"
            case .noWritableProvider:
                "No provider of the chain can be written to. Add one, such as a LocalProvider or a MemoryProvider."
            case .notInChain(let name): "The chain has no provider \"\(name)\". Add it to the loader's providers."
            case .notWritable(let name): "Provider \"\(name)\" cannot be written to. Name another one."
            case .value(let error): "The value cannot be kept: \(error)."
            case .unbound: "It has no loader, or its loader is gone. Keep the FlagsLoader while its flags are written."
            }
        let done = written.isEmpty ? "" : " Written before that: \(written.joined(separator: ", "))."
        return "\(subject). \(cause)\(done)"
    }
}
