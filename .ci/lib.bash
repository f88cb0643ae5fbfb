# Functions for the steps. Source it: . .ci/lib.bash

# Every Swift file of the package, the nested ones too, one to a line.
swift_files() {
    find . -name '.?*' -prune -o -name '*.swift' -print
}

# Runs a command and prints its output only if it fails, or the lines of it that match a pattern.
#   quietly <pattern> <command…>
quietly() {
    local pattern=$1 log status=0
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    if [[ $status -ne 0 ]]; then
        # The progress of a build is of no use to the reader of a failure.
        grep -vE '^\[[0-9]+/[0-9]+\] |^◇ ' "$log" || true
    elif [[ -n "$pattern" ]]; then
        grep -E "$pattern" "$log" || true
    fi
    rm -f "$log"
    return $status
}

# Copies the package as git sees it, changes that are not committed included, into a new git repository.
#   copy_as_repository <folder>
copy_as_repository() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        if [[ -e "$file" ]]; then printf '%s\0' "$file"; fi
    done | xargs -0 cp --parents -t "$1"
    git -C "$1" init -q
    git -C "$1" add -A
    git -C "$1" -c user.name=ci -c user.email=ci@localhost commit -qm copy
}

# Makes sure that a program is there, installing a Debian package for it if that is possible.
#   have_or_install <program> <package> || { echo "skipped: needs <program>"; exit 0; }
have_or_install() {
    if command -v "$1" >/dev/null 2>&1; then return 0; fi
    if [[ "$(id -u)" != 0 ]] || ! command -v apt-get >/dev/null 2>&1; then return 1; fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null 2>&1 ||
        { apt-get update -qq >/dev/null 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null 2>&1; } || return 1
    command -v "$1" >/dev/null 2>&1
}

# How the steps build what needs traits: all in one build, since each set of traits builds everything anew.
with_traits=(--traits CommandLine,Web --scratch-path .build-traits)

# Says which package cannot be fetched, if any.
#   can_fetch <owner/name>… || exit 0
can_fetch() {
    local package
    for package in "$@"; do
        if ! GIT_TERMINAL_PROMPT=0 timeout 60 git ls-remote -q "https://github.com/$package" HEAD >/dev/null 2>&1; then
            echo "skipped: $package cannot be fetched."
            return 1
        fi
    done
}
