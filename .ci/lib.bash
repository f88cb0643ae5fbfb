# Functions for the steps. Source it: . .ci/lib.bash

# The status of a step that checked nothing.
status_of_skip=75

# Ends a step that can check nothing here, and says why.
#   skip <reason>
skip() {
    skip_part "$1"
    exit $status_of_skip
}

# Says what part of a step is left out, and why; the step goes on, and has not passed even if all else is well.
#   skip_part <reason>
skip_part() {
    echo "skipped: $1"
    if [[ -n "${TACKLINE_CI_NOTES:-}" ]]; then printf '%s\n' "$1" >>"$TACKLINE_CI_NOTES"; fi
}

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

# Runs tests, prints how many passed and what failed, and counts a test that is skipped as a part of the step that is.
# Leaves the number of lines that were printed in `lines_of_tests`.
# `expected_skips` is a pattern of the reasons that count for nothing.
#   run_tests <command…>
expected_skips='^runs only when asked for$' # the planted mistakes, which the steps of the sanitizers ask for
run_tests() {
    local log status=0 reason
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    lines_of_tests=$(wc -l <"$log")
    if [[ $status -ne 0 ]]; then
        grep -vE '^\[[0-9]+/[0-9]+\] |^◇ |^✔ (Test|Suite) "' "$log" || true
    else
        grep -E '^(✔|━) Test run' "$log" || { echo "No test was run:" && tail -n 20 "$log" && status=1; }
        while IFS= read -r reason; do
            if [[ ! "$reason" =~ $expected_skips ]]; then skip_part "a test: $reason"; fi
        done < <(sed -nE 's/^➜ .* skipped: "(.*)"$/\1/p; s/^➜ (.*) skipped\.$/\1 gives no reason/p' "$log" | sort -u)
    fi
    rm -f "$log"
    return $status
}

# Says whether all processes have ended that a step started, and ends those that have not.
#
# They are known by a variable in their environment, which the tests hand on to the programs that they start.
#   end_leftovers <value of TACKLINE_CI_STEP>
end_leftovers() {
    local process left
    if [[ ! -d /proc/self ]]; then return 0; fi
    # What is just ending gets the time to.
    for _ in {1..20}; do
        left=$(grep -lzFx "TACKLINE_CI_STEP=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true)
        if [[ -z "$left" ]]; then return 0; fi
        sleep 0.5
    done
    echo "The step left processes behind:"
    for process in $left; do
        echo "    $process: $(tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null || true)"
        kill -KILL "$process" 2>/dev/null || true
    done
    return 1
}

# Copies the package as git sees it, changes that are not committed included, into a new git repository.
#   copy_as_repository <folder>
copy_as_repository() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        if [[ -e "$file" ]]; then printf '%s\0' "$file"; fi
    done | xargs -0 cp -P --parents -t "$1"
    git -C "$1" init -q
    git -C "$1" add -A
    git -C "$1" -c user.name=ci -c user.email=ci@localhost commit -qm copy
}

# Makes sure that a program is there, installing a Debian package for it if that is possible.
#   have_or_install <program> <package> || skip "needs <program>"
have_or_install() {
    if command -v "$1" >/dev/null 2>&1; then return 0; fi
    if [[ "$(id -u)" != 0 ]] || ! command -v apt-get >/dev/null 2>&1; then return 1; fi
    # A server that a package starts is none of the step's processes; RUNLEVEL keeps Debian from starting it.
    local install=(env -u TACKLINE_CI_STEP RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2")
    # Steps run at the same time, and apt-get fails where another one is at work.
    {
        flock 9
        "${install[@]}" || { apt-get update -qq && "${install[@]}"; } || return 1
    } >/dev/null 2>&1 9>"${TMPDIR:-/tmp}/tackline-apt-get.lock"
    command -v "$1" >/dev/null 2>&1
}

# Whether packages can be fetched. Those that cannot are printed.
#   can_fetch <owner/name>… || skip "…"
can_fetch() {
    local package
    for package in "$@"; do
        if ! GIT_TERMINAL_PROMPT=0 timeout 60 git ls-remote -q "https://github.com/$package" HEAD >/dev/null 2>&1; then
            echo "$package cannot be fetched."
            return 1
        fi
    done
}

# What only CI builds is built a module at once and without debug information: half the work. The index stays: `swift test`
# finds XCTest's tests by it.
at_once=(
    -Xswiftc -gnone
    -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo
    -Xswiftc -disable-batch-mode -Xswiftc -num-threads -Xswiftc 2
)

# The test data, for packages in other folders.
if [[ -z "${TACKLINE_SUITES:-}" && -d ../shared/suites ]]; then
    TACKLINE_SUITES=$(cd ../shared/suites && pwd)
    export TACKLINE_SUITES
fi

# Makes a package of the same files that has some of the tests only: a sanitizer, or what needs traits, asks for no more.
#
# Its folder has a manifest of its own and links to everything else.
#   package_with_tests <folder> <name of a module>…
package_with_tests() {
    local folder=$1 entry kept manifest
    shift
    mkdir -p "$folder"
    for entry in * .swift-format .ci; do
        case $entry in Package.swift | Package.resolved) continue ;; esac
        ln -sfn "$PWD/$entry" "$folder/$entry"
    done
    printf -v kept '"%sTests", ' "$@"
    manifest=$(cat Package.swift && printf '\npackage.targets.removeAll { $0.type == .test && ![%s].contains($0.name) }' "$kept")
    # What has not changed stays, since everything is built anew after a change of the manifest.
    [[ "$(cat "$folder/Package.swift" 2>/dev/null)" == "$manifest" ]] || printf '%s\n' "$manifest" >"$folder/Package.swift"
}

# How the steps build what needs traits: all in one build, since each set of traits builds everything anew.
with_traits=(
    --package-path "$PWD/.build-traits/package"
    --traits CommandLine,Configuration,Logging,Metrics,ServiceLifecycle,Tracing,Web
    --scratch-path "$PWD/.build-traits" "${at_once[@]}")

# Builds a product with them; tests, which are the product tacklinePackageTests, run afterwards with --skip-build. All
# products would be the tool twice, since the plugin wants it for the machine that builds.
#
#   build_with_traits <product>
# SwiftPM 6.3 hands traits to the compiler in the order of a set, which differs from run to run, and compiles everything anew
# where it does: so its hashing is told not to. What it builds keeps its own.
build_with_traits() {
    # The last three are there for the guides and the documentation, which need every module.
    package_with_tests .build-traits/package TacklineCLI TacklineConfiguration TacklineServer TacklineSwiftUI \
        TacklineWeb TacklineLaunchGuard TacklineOFREP TacklineRealFlags
    SWIFT_DETERMINISTIC_HASHING=1 quietly '' swift build "${with_traits[@]}" --product "$1"
}

# Ends the step if the packages behind the traits cannot be fetched.
need_traits() {
    can_fetch apple/swift-argument-parser swhitty/FlyingFox apple/swift-configuration apple/swift-log \
        apple/swift-metrics apple/swift-distributed-tracing swift-server/swift-service-lifecycle ||
        skip "the packages behind the traits cannot be fetched"
}
