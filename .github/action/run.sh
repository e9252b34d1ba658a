#!/usr/bin/env bash
# Runs the suite for the GitHub Action and writes the action's outputs. Ends with the exit code of the suite, except that
# FAIL_ON_UNDECIDED=false turns 2 (undecided) into 0.
set -uo pipefail

# The outputs are read from report.json.
case ",$REPORT," in *,json,*) ;; *) REPORT="json,$REPORT" ;; esac
# An unset secret is an empty variable, which is no key.
[ -n "${COUNTERSIGN_API_KEY_2:-}" ] || unset COUNTERSIGN_API_KEY_2

arguments=(conformance --report "$REPORT" --report-dir "$REPORT_DIR")
[ -n "${PROFILE:-}" ] && arguments+=(--profile "$PROFILE")
[ -n "${BASELINE:-}" ] && arguments+=(--baseline "$BASELINE")

# A report of an earlier step must not be taken for that of this run.
rm -f "$REPORT_DIR/report.json"
node "$COUNTERSIGN" "${arguments[@]}"
code=$?

node - "$REPORT_DIR/report.json" >> "$GITHUB_OUTPUT" <<'JS'
const { existsSync, readFileSync } = require('node:fs')
const [, , path] = process.argv
const { verdict = 'could-not-run', checks = [], baseline } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
const known = (baseline?.expected ?? []).map(({ check }) => check)
// A failed check that no documented fact rests on is a warning.
const binds = ({ provenance, level }) => provenance === 'documented' && level === 'must'
const binding = checks.filter((check) => binds(check) || check.verdict !== 'fail')
const sum = (...names) => binding.filter(({ id, verdict }) => names.includes(verdict) && !known.includes(id)).length
console.log(`verdict=${verdict}`)
console.log(`passed=${sum('pass', 'accepted')}`)
console.log(`failed=${sum('fail')}`)
console.log(`known=${known.length}`)
console.log(`undecided=${sum('inconclusive', 'blocked', 'harness-error')}`)
console.log(`report=${existsSync(path) ? path : ''}`)
JS

if [ "$code" = 2 ] && [ "${FAIL_ON_UNDECIDED:-true}" = false ]; then
  echo "::warning::The deployment was not shown to conform: some documented facts could not be decided."
  exit 0
fi
exit "$code"
