#if CommandLine
    import ArgumentParser
    import TacklineCore
    import TacklineTargeting

    /// The options of commands that report findings.
    struct FindingsOptions: ParsableArguments {
        /// The name of a format for findings on the command line.
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, json, github, sarif, junit
        }

        @Option(help: "How findings are printed: text, json, github (annotations), sarif or junit.")
        var format: Format?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if output.isJSON, let format, format != .json { throw ValidationError("Say --json or --format, not both.") }
        }

        /// Prints findings in the requested format.
        ///
        /// - Parameters:
        ///   - members: The members of the object for `--json`.
        ///   - text: Returns the text for people.
        /// - Throws: Also if a file is not good.
        func print(
            _ findings: FindingsFormat, _ members: [String: EncodedFlagValue], _ text: (TextStyle) -> String
        ) throws(CommandFailure) {
            switch format ?? (output.isJSON ? .json : .text) {
            case .text: try CommandOutput.standard.write(text(TextStyle(for: .standard)))
            case .json: try CommandOutput.standard.write(JSONReport.text(findings.command, members))
            case .github: try CommandOutput.standard.write(findings.github)
            case .sarif: try CommandOutput.standard.write(JSONReport.text(of: findings.sarif))
            case .junit: try CommandOutput.standard.write(findings.junit)
            }
            if !findings.files.allSatisfy(\.isGood) { throw CommandFailure.found }
        }
    }

    /// Findings in the forms that CI systems read.
    struct FindingsFormat {
        /// A file that was checked, with its findings.
        struct File {
            let path: String
            let findings: [Finding]
            /// Whether the file passes despite its findings.
            let isGood: Bool
        }

        /// The command that checked the files.
        let command: String
        let files: [File]

        /// Annotations of GitHub Actions: a workflow command for each finding, `::error file=…,line=…::…`.
        var github: String {
            files.flatMap(\.findings).map { finding in
                var properties = ["file=\(Self.property(finding.path))"]
                if let position = finding.position {
                    properties += ["line=\(position.line)", "col=\(position.column)"]
                }
                properties.append("title=tackline \(Self.property(rule(finding)))")
                let word = finding.severity == .note ? "notice" : finding.severity.rawValue
                return "::\(word) \(properties.joined(separator: ","))::\(Self.escaped(finding.message))\n"
            }.joined()
        }

        /// A log in SARIF 2.1.0 (OASIS), which GitHub's code scanning and other services show.
        var sarif: EncodedFlagValue {
            let results = files.flatMap(\.findings).map { finding -> EncodedFlagValue in
                var location: [String: EncodedFlagValue] = [
                    "artifactLocation": ["uri": .string(Self.uri(finding.path))]
                ]
                location["region"] = finding.position.map {
                    ["startLine": .count($0.line), "startColumn": .count($0.column)]
                }
                return [
                    "ruleId": .string(rule(finding)), "level": .string(finding.severity.rawValue),
                    "message": ["text": .string(finding.message)],
                    "locations": [["physicalLocation": .object(location)]],
                ]
            }
            let rules = Set(files.flatMap(\.findings).map(rule)).sorted().map {
                EncodedFlagValue.object(["id": .string($0)])
            }
            let driver: EncodedFlagValue = [
                "name": "tackline", "version": .string(TacklineTool.version), "rules": .array(rules),
            ]
            return [
                "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
                "runs": [["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results)]],
            ]
        }

        /// A report in the form of JUnit: a test case for each file, which fails if the file is not good.
        var junit: String {
            let failures = files.count { !$0.isGood }
            var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            text += "  <testsuite name=\"tackline \(command)\" tests=\"\(files.count)\" failures=\"\(failures)\">\n"
            for file in files {
                let lines = file.findings.map { Self.xml($0.line()) + "\n" }.joined()
                text += "    <testcase classname=\"tackline.\(command)\" name=\"\(Self.xml(file.path))\""
                if lines.isEmpty {
                    text += "/>\n"
                } else if file.isGood {
                    text += ">\n      <system-out>\(lines)</system-out>\n    </testcase>\n"
                } else {
                    text += ">\n      <failure message=\"\(file.findings.count.of("finding"))\">\(lines)</failure>\n"
                    text += "    </testcase>\n"
                }
            }
            return text + "  </testsuite>\n</testsuites>\n"
        }

        private func rule(_ finding: Finding) -> String { finding.rule.map { "\(command)/\($0)" } ?? command }

        /// Returns the text escaped as the toolkit of GitHub Actions escapes the message of a workflow command.
        private static func escaped(_ text: String) -> String {
            SafeText.line(text, limit: .max).replacing("%", with: "%25")
        }

        private static func property(_ text: String) -> String {
            escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
        }

        /// Returns a path as a relative reference (RFC 3986) or, from the root, as the URI of a file (RFC 8089).
        private static func uri(_ path: String) -> String {
            (path.hasPrefix("/") ? "file://" : "") + SafeText.percentEncoded(path, kept: "/")
        }

        /// Returns the text escaped for XML. Control characters, which XML cannot contain, are spelled out.
        private static func xml(_ text: String) -> String {
            SafeText.line(text, limit: .max).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
        }
    }
#endif
