#if CommandLine
    import ArgumentParser

    extension CompletionKind {
        /// A completion with the keys of the file that the command line names before them.
        static var flagKeys: CompletionKind {
            .custom { words, index, prefix in
                let shell = CompletionShell.requesting.flatMap { ShellWords(rawValue: $0.rawValue) }
                return CompletionKeys.offers(in: words, at: index, beginningWith: prefix, for: shell)
            }
        }
    }

    extension TacklineCommand {
        /// Returns the text for help, for the version, or for a shell's completion request.
        static func text(of request: any Error) -> String {
            let text = fullMessage(for: request)
            return BashScript.isOne(text) ? BashScript.completingWholeWords(text) : text
        }
    }
#endif
