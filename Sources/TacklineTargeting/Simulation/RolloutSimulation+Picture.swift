extension RolloutSimulation {
    /// The split as a picture in SVG: a bar for each variant, and a line at its expected end.
    ///
    /// Names are escaped, and the colours suit a light and a dark background. A browser shows the picture as it is or
    /// in a page.
    public var svg: String {
        let rowHeight = 36
        let height = 56 + rowHeight * shares.count
        var body = ""
        for (position, share) in shares.enumerated() {
            body += bar(share, top: 44 + rowHeight * position)
        }
        let title = Self.escaped(title)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 \(height)" role="img" aria-label="\(title)">
            <title>\(title)</title>
            <style>
            .ground { fill: #ffffff } .track { fill: #e8eaed } .bar { fill: #1a66c2 } .expected { stroke: #b3261e }
            text { fill: #1f2328; font: 14px system-ui, sans-serif } .note { text-anchor: end }
            @media (prefers-color-scheme: dark) {
            .ground { fill: #16181c } .track { fill: #33373e } .bar { fill: #6ea8f0 } .expected { stroke: #ffb4ab }
            text { fill: #e8eaed }
            }
            </style>
            <rect class="ground" width="640" height="\(height)"/>
            <text x="16" y="26">\(title)</text>
            \(body)</svg>

            """
    }

    /// Returns one bar. All subjects together are 300 units wide.
    private func bar(_ share: Share, top: Int) -> String {
        let total = Double(max(1, subjectCount))
        let width = TextTable.decimal(300 * Double(share.count) / total)
        let mark = TextTable.decimal(160 + 300 * share.expectedCount / total)
        let percentage = TextTable.percentage(Double(share.count) / total)
        let expected = TextTable.percentage(share.expectedCount / total)
        return """
            <text class="note" x="150" y="\(top + 19)">\(Self.escaped(Self.shortened(share.variant)))</text>
            <rect class="track" x="160" y="\(top + 4)" width="300" height="22" rx="3"/>
            <rect class="bar" x="160" y="\(top + 4)" width="\(width)" height="22" rx="3"/>
            <line class="expected" x1="\(mark)" y1="\(top)" x2="\(mark)" y2="\(top + 30)" stroke-width="2"/>
            <text class="note" x="624" y="\(top + 19)">\(percentage) of \(expected)</text>

            """
    }

    private static func shortened(_ name: String) -> String {
        name.count > 18 ? name.prefix(17) + "…" : name
    }

    /// Returns a text that is safe in the content and the attributes of XML. Control characters, which XML cannot hold,
    /// become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{0}"..."\u{8}", "\u{b}", "\u{c}", "\u{e}"..."\u{1f}", "\u{fffe}", "\u{ffff}":
                escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
