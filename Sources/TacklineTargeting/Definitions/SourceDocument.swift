import Foundation
import Synchronization
import TacklineCore

// Foundation: files and servers give `Data`.

/// The document that flags were read from.
///
/// Evaluating flags takes only what was compiled. The values of the document take more than ten times as much memory as
/// its text, so the text is kept, and read again when a tool checks the document.
final class SourceDocument: Sendable {
    /// The text; `nil` for a document that was made of values.
    let text: Data?
    private let format: FlagDocumentFormat
    private let known: Mutex<EncodedFlagValue?>

    /// Keeps the values of a document, or its text if there is any.
    ///
    /// - Parameter limits: The bounds within which the document was read.
    init(_ root: EncodedFlagValue, text: Data? = nil, limits: TargetingLimits = .default) {
        self.text = text
        format = .flagd(context: .fixed(EvaluationContext()), limits: limits)
        // A conditional expression would take `nil` for the null of JSON.
        if text == nil { known = Mutex(.some(root)) } else { known = Mutex(.none) }
    }

    /// The document.
    var root: EncodedFlagValue {
        if let known = known.withLock({ $0 }) { return known }
        // It was read once, so it is within all limits that matter.
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = .max
        let document = text.flatMap { try? format.document(json: $0, limits: limits) }
        let root = EncodedFlagValue.object(document?.root ?? ["flags": .object([:])])
        return known.withLock { known in
            let first = known ?? root
            known = first
            return first
        }
    }
}
