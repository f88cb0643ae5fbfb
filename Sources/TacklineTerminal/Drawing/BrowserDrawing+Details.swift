import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    func drawDetails(
        _ state: inout BrowserState, rows: Range<Int>, columns: Range<Int>, on canvas: inout TerminalCanvas
    ) {
        guard let flag = state.selected, columns.count > 0 else { return }
        let lines = details(of: flag, state, width: columns.count - 1)
        state.detailOffset = min(state.detailOffset, max(0, lines.count - rows.count))
        for (row, line) in zip(rows, lines.dropFirst(state.detailOffset)) {
            canvas.put(line, row: row, column: columns.lowerBound, width: columns.count, glyphs: glyphs)
        }
        let rest = lines.count - state.detailOffset - rows.count
        if rest > 0, rows.count > 2, let last = rows.last {
            let blanks = String(repeating: " ", count: columns.count)
            canvas.put(blanks, row: last, column: columns.lowerBound)
            canvas.put(
                StyledLine("\(rest + 1) more lines: \(state.isWide ? "J and K" : "up and down") scroll", .dim),
                row: last,
                column: columns.lowerBound, width: columns.count, glyphs: glyphs)
        }
    }

    private func details(of flag: FlagsBrowserFlag, _ state: BrowserState, width: Int) -> [StyledLine] {
        var lines = [StyledLine(glyphs.safe(flag.name, limit: 300), .bold)]
        var facts = [glyphs.safe(flag.key, limit: 300), glyphs.safe(flag.type, limit: 100)]
        if flag.isPinned { facts.append("pinned") }
        lines += glyphs.wrapped(facts.joined(separator: " \(glyphs.dot) "), .dim, width: width)
        if !flag.description.isEmpty {
            lines.append(StyledLine())
            for line in SafeText.lines(flag.description, isUnicode: glyphs.isUnicode).prefix(20) {
                lines += glyphs.wrapped(line, width: width)
            }
        }
        lines.append(StyledLine())
        lines += value(of: flag, width: width)
        if let refusal = flag.refusal {
            lines += glyphs.wrapped(glyphs.safe(refusal.message), .color(.yellow), width: width)
        }
        lines += metadata(of: flag, width: width)
        lines.append(StyledLine())
        lines += chain(of: flag, state, width: width)
        lines += reasons(of: flag, state, width: width)
        lines += preview(state, flag, width: width)
        return lines
    }

    private func labelled(
        _ label: FlagsBrowserText?, _ text: String, _ style: TerminalStyle = .plain, width: Int
    ) -> [StyledLine] {
        let labelWidth = 9
        let wrapped = TextLayout.wrapped(
            text, to: max(1, width - labelWidth), limit: 8, ellipsis: glyphs.ellipsis)
        return wrapped.enumerated().map { index, part in
            StyledLine(TextLayout.padded(index == 0 ? label?.rawValue ?? "" : "", to: labelWidth), .dim).appending(
                part, style)
        }
    }

    private func value(of flag: FlagsBrowserFlag, width: Int) -> [StyledLine] {
        // Structured values may take more than one line.
        let isLong = flag.control.kind == .json && (flag.value.input?.contains("\n") ?? false)
        var lines: [StyledLine] = []
        if isLong, let input = flag.value.input {
            lines.append(StyledLine(FlagsBrowserText.value.rawValue, .dim))
            let text = SafeText.lines(String(input.prefix(4000)), isUnicode: glyphs.isUnicode)
            for line in text.prefix(12) { lines.append(StyledLine("  " + line, style(of: flag))) }
            if text.count > 12 { lines.append(StyledLine("  " + String(glyphs.ellipsis), .dim)) }
        } else {
            lines += labelled(.value, glyphs.safe(flag.value.text), style(of: flag), width: width)
        }
        let source = name(of: flag.source) + (flag.variant.map { ", variant \(glyphs.safe($0, limit: 100))" } ?? "")
        lines += labelled(.from, source, flag.isOverridden ? .color(.yellow) : .plain, width: width)
        if !flag.reason.isEmpty { lines += labelled(.because, glyphs.safe(flag.reason), .dim, width: width) }
        lines += labelled(.defaultValue, glyphs.safe(flag.defaultValue.text), width: width)
        if flag.defaultValue.text != flag.declaredDefault.text {
            lines += labelled(nil, "in the source \(glyphs.safe(flag.declaredDefault.text))", .dim, width: width)
        }
        return lines
    }

    private func metadata(of flag: FlagsBrowserFlag, width: Int) -> [StyledLine] {
        let metadata = flag.metadata
        var lines: [StyledLine] = []
        if let owner = metadata.owner { lines += labelled(.owner, glyphs.safe(owner), width: width) }
        if let date = metadata.expiryDate {
            lines += labelled(
                .expires, clock.day(date) + (flag.isExpired ? ", so it should be gone" : ""),
                flag.isExpired ? .color(.red) : .plain, width: width)
        }
        if let ticket = metadata.ticket { lines += labelled(.ticket, glyphs.safe(ticket), width: width) }
        if !metadata.tags.isEmpty {
            lines += labelled(.tags, glyphs.safe(metadata.tags.joined(separator: ", ")), width: width)
        }
        let marks = flag.marks.filter { $0 == .isLocked || $0 == .isInternal }.map(\.rawValue)
        if !marks.isEmpty { lines += labelled(nil, marks.joined(separator: ", "), .dim, width: width) }
        return lines
    }

    /// Returns a line for each step that could give a value, with a mark at the one that does.
    private func chain(of flag: FlagsBrowserFlag, _ state: BrowserState, width: Int) -> [StyledLine] {
        var lines = [StyledLine(FlagsBrowserText.origin.rawValue, .dim)]
        let providers = state.screen.snapshot?.section(id: flag.section)?.providers ?? []
        let names = flag.answers.map { CellWidth.of(glyphs.safe($0.provider, limit: 60)) } + [8]
        let nameWidth = min(names.max() ?? 8, max(8, width / 3))
        func row(_ name: String, _ text: String, wins: Bool, _ style: TerminalStyle, note: String = "") {
            let name = TextLayout.padded(glyphs.safe(name, limit: 60), to: nameWidth, ellipsis: glyphs.ellipsis)
            var line = StyledLine(wins ? glyphs.cursor + " " : "  ", .color(.green, isBold: true))
            line.append(name + "  ", wins ? .bold : .plain)
            line.append(text, style)
            lines.append(line)
            if !note.isEmpty { lines += glyphs.wrapped(note, .dim, width: width, indentation: 4, limit: 4) }
        }
        if let scoped = flag.scoped {
            row(FlagsBrowserText.currentTask.rawValue, glyphs.safe(scoped.text), wins: flag.source == .scope, .plain)
        }
        if let computed = flag.computed {
            row(FlagsBrowserText.computed.rawValue, glyphs.safe(computed.text), wins: flag.source == .computed, .plain)
        }
        for answer in flag.answers {
            let wins = flag.source == .provider(answer.provider)
            let notes = [answer.refusal, answer.variant.map { "variant \($0)" }, answer.reason].compactMap { $0 }
            let note = glyphs.safe(notes.joined(separator: "; "))
            switch answer.outcome {
            case .value: row(answer.provider, glyphs.safe(answer.value?.text ?? ""), wins: wins, .plain, note: note)
            case .absent: row(answer.provider, glyphs.none, wins: false, .dim, note: note)
            case .excluded: row(answer.provider, FlagsBrowserText.notAsked.rawValue, wins: false, .dim, note: note)
            case .refused:
                row(
                    answer.provider, glyphs.safe(answer.value?.text ?? "") + "  unusable", wins: false, .color(.red),
                    note: answer.isHeldBack == true && flag.isEditable ? note + "; L releases it" : note)
            }
            if let provider = providers.first(where: { $0.id == answer.provider }), !provider.isReady {
                lines += glyphs.wrapped(
                    glyphs.safe(provider.status), .color(.red), width: width, indentation: 4, limit: 4)
            }
        }
        row(
            FlagsBrowserText.byDefault.rawValue, glyphs.safe(flag.defaultValue.text), wins: flag.source == .default,
            .plain)
        return lines
    }

    /// Returns the steps through the rules, with a bar for a split.
    private func reasons(of flag: FlagsBrowserFlag, _ state: BrowserState, width: Int) -> [StyledLine] {
        guard let question = state.question?.0, question.flag == flag.id else { return [] }
        var lines: [StyledLine] = []
        for reason in state.reasons.prefix(8) {
            let provider = glyphs.safe(reason.provider, limit: 60)
            let title =
                question.attributes == nil
                ? "How the rules of \(provider) decided"
                : "What the rules of \(provider) would give for \(glyphs.safe(state.whatIf, limit: 200))"
            lines += [StyledLine()] + glyphs.wrapped(title, .dim, width: width)
            for line in reason.reasoning.lines(width: max(10, width - 34)).prefix(60) {
                let text = glyphs.safe(line)
                // A bar that is broken into two lines is unreadable.
                lines +=
                    line.contains("|") || line.hasSuffix("%")
                    ? [StyledLine(text)] : glyphs.wrapped(text, width: width, limit: 4)
            }
        }
        return lines
    }

    /// Returns lines that describe the effect of the space bar.
    private func preview(_ state: BrowserState, _ flag: FlagsBrowserFlag, width: Int) -> [StyledLine] {
        guard state.isBrowsing, let command = state.screen.quickCommand(for: flag),
            let result = state.screen.previewed(command)
        else { return [] }
        switch result {
        case .success(let preview):
            return [StyledLine(), StyledLine("If you press space", .dim)]
                + glyphs.wrapped(
                    glyphs.safe(preview.message), preview.changesAnything ? .plain : .color(.yellow), width: width)
        case .failure(let error):
            return [StyledLine()] + glyphs.wrapped(glyphs.safe(error.message), .color(.red), width: width)
        }
    }
}
