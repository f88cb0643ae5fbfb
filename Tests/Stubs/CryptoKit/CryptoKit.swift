// swift-format-ignore-file
// A stub of the CryptoKit API that the sources use; see the stub of Foundation. Nothing here runs.
public import Foundation

public enum Curve25519 {
  public enum Signing {
    public struct PublicKey: Sendable {
      public init<D>(rawRepresentation: D) throws where D: ContiguousBytes {}
      public var rawRepresentation: Data { fatalError() }
      public func isValidSignature<S, D>(_ signature: S, for data: D) -> Bool where S: DataProtocol, D: DataProtocol { fatalError() }
    }
    public struct PrivateKey: Sendable {
      public init() {}
      public init<D>(rawRepresentation data: D) throws where D: ContiguousBytes {}
      public var publicKey: PublicKey { fatalError() }
      public var rawRepresentation: Data { fatalError() }
      public func signature<D>(for data: D) throws -> Data where D: DataProtocol { fatalError() }
    }
  }
}
