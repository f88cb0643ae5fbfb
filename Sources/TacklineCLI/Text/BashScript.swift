#if CommandLine
    /// A correction of the completion script that ArgumentParser generates for bash.
    ///
    /// Bash splits words at the characters of `COMP_WORDBREAKS`, of which `:`, `=` and `@` are common in keys. The
    /// script counts the parts as arguments and finds no completion. A function around it joins the parts, and removes
    /// from the answers the text that bash keeps.
    enum BashScript {
        /// Returns whether a text is the script.
        static func isOne(_ text: String) -> Bool { text.hasPrefix("#!/bin/bash\n") }

        /// Returns the script with the function that joins the parts of words.
        static func completingWholeWords(_ script: String) -> String {
            script.replacing("\ncomplete -o filenames -F _tackline tackline", with: "\n" + wrapper)
        }

        private static let wrapper = #"""
            _tackline_whole_words() {
                local -a whole=()
                local -i index start=0 offset=0 current=0
                local rest="${COMP_LINE}" before="" last="" gap word
                for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
                    word="${COMP_WORDS[index]}"
                    gap="${rest%%[![:space:]]*}"
                    if [[ ${index} -gt 0 && -z "${gap}" && ("${word}" =~ ^[:=@]+$ || "${last}" =~ ^[:=@]+$) ]]; then
                        whole[${#whole[@]} - 1]+="${word}"
                    else
                        whole+=("${word}")
                        [[ ${index} -le ${COMP_CWORD} ]] && start=$((offset + ${#gap}))
                    fi
                    [[ ${index} -eq ${COMP_CWORD} ]] && current=$((${#whole[@]} - 1))
                    offset+=$((${#gap} + ${#word}))
                    rest="${COMP_LINE:offset}"
                    last="${word}"
                done

                # What bash keeps of the word, in front of the part that it lets us complete.
                local typed="${2}"
                if [[ ${start} -lt ${COMP_POINT} ]]; then
                    before="${COMP_LINE:start:COMP_POINT - start}"
                    [[ "${before}" = *"${typed}" ]] && before="${before%"${typed}"}" || before=""
                    before="${before//[\\\"\']/}"
                fi
                local -a COMP_WORDS=("${whole[@]}")
                local -i COMP_CWORD=current
                _tackline "${1}" "${before}${typed}" "${COMP_WORDS[COMP_CWORD > 0 ? COMP_CWORD - 1 : 0]}"

                [[ -z "${before}" ]] && return
                for index in "${!COMPREPLY[@]}"; do
                    COMPREPLY[index]="${COMPREPLY[index]#"${before}"}"
                done
            }
            complete -o filenames -F _tackline_whole_words tackline
            """#
    }
#endif
