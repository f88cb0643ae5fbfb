// swift-format-ignore-file
// Loading from servers in Foundation; see Bridging.swift.

public let NSURLAuthenticationMethodServerTrust: String = ""

open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class HTTPCookie: NSObject, @unchecked Sendable {
  @objc public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}
open class URLProtectionSpace: NSObject, @unchecked Sendable {
  open var authenticationMethod: String { fatalError() }
  open var host: String { fatalError() }
}
public let NSURLAuthenticationMethodDefault = "", NSURLAuthenticationMethodHTTPBasic = "", NSURLAuthenticationMethodHTTPDigest = "", NSURLAuthenticationMethodHTMLForm = ""
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  open var protectionSpace: URLProtectionSpace { fatalError() }
  open var failureResponse: URLResponse? { fatalError() }
}

open class URLResponse: NSObject, @unchecked Sendable {
  open var url: URL? { fatalError() }
  open var expectedContentLength: Int64 { fatalError() }
}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
  open func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}
public struct URLRequest: Hashable, Sendable {
  public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData, returnCacheDataElseLoad, returnCacheDataDontLoad, reloadIgnoringLocalAndRemoteCacheData, reloadRevalidatingCacheData }
  public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {}
  public var url: URL?
  public var httpMethod: String?
  public var httpBody: Data?
  public var timeoutInterval: TimeInterval { get { fatalError() } set {} }
  public var allHTTPHeaderFields: [String: String]?
  public var httpShouldHandleCookies: Bool { get { fatalError() } set {} }
  public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}
public struct URLError: Error, Hashable, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let unknown = Self(rawValue: -1), cancelled = Self(rawValue: -999), timedOut = Self(rawValue: -1001), unsupportedURL = Self(rawValue: -1002)
    public static let httpTooManyRedirects = Self(rawValue: -1007), redirectToNonExistentLocation = Self(rawValue: -1010)
    public static let cannotDecodeRawData = Self(rawValue: -1015), cannotDecodeContentData = Self(rawValue: -1016), cannotParseResponse = Self(rawValue: -1017)
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { fatalError() }
  public var failingURL: URL? { fatalError() }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  open var taskIdentifier: Int { fatalError() }
  open var originalRequest: URLRequest? { fatalError() }
  open var response: URLResponse? { fatalError() }
  open func resume() {}
  open func suspend() {}
  open func cancel() {}
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var timeoutIntervalForRequest: TimeInterval { get { fatalError() } set {} }
  open var timeoutIntervalForResource: TimeInterval { get { fatalError() } set {} }
  open var connectionProxyDictionary: [AnyHashable: Any]?
  open var urlCache: URLCache?
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get { fatalError() } set {} }
  open var httpShouldSetCookies: Bool { get { fatalError() } set {} }
  open var urlCredentialStorage: URLCredentialStorage?
  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  open var enablesEarlyData: Bool { get { fatalError() } set {} }
}
@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
  @objc(URLSession:didBecomeInvalidWithError:) optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
  @objc(URLSession:didReceiveChallenge:completionHandler:) optional func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
  @objc(URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:) optional func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  @objc(URLSession:task:didReceiveChallenge:completionHandler:) optional func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  @objc(URLSession:task:didCompleteWithError:) optional func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  @objc(URLSession:dataTask:didReceiveResponse:completionHandler:) optional func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  @objc(URLSession:dataTask:didReceiveData:) optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
open class URLSession: NSObject, @unchecked Sendable {
  @objc public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
  @objc public enum AuthChallengeDisposition: Int, Sendable { case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace }
  open class var shared: URLSession { fatalError() }
  public convenience init(configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?) { fatalError() }
  public convenience init(configuration: URLSessionConfiguration) { fatalError() }
  open var configuration: URLSessionConfiguration { fatalError() }
  public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  public func bytes(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (AsyncBytes, URLResponse) { fatalError() }
  public struct AsyncBytes: AsyncSequence, Sendable {
    public typealias Element = UInt8
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      public mutating func next() async throws -> UInt8? { fatalError() }
    }
    public func makeAsyncIterator() -> AsyncIterator { fatalError() }
    public var task: URLSessionDataTask { fatalError() }
  }
  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}
}
