#!/usr/bin/env bash
# A ladder in shares on one machine, by GNU parallel:
#
#   crates/bots/jobs/ladder.sh GAME SHARES [OPTIONS OF THE ARENA]
#   crates/bots/jobs/ladder.sh crusader-rex 8 --scenario 1187 --games 400 --iterations 4000
#
# OUTREMER is the program, OUT the folder of the results, JOBS how many shares at once. Shares that are there already
# are not played again, so it can be started once more after an interruption.
set -euo pipefail
game=${1:?"which game?"} shares=${2:?"in how many shares?"}
shift 2
outremer=${OUTREMER:-outremer} out=${OUT:-ladder-$game}
mkdir -p "$out"
for share in $(seq "$shares"); do
    [ -s "$out/$share.json" ] || echo "$share"
done | parallel --will-cite --jobs "${JOBS:-100%}" --halt soon,fail=1 \
    "$outremer" arena "$game" --ladder --share "{}/$shares" --results "$out/{}.part" "$@" '>' "$out/{}.log" \
    '&&' mv "$out/{}.part" "$out/{}.json"
"$outremer" arena "$game" --merge "$out"/*.json --chart "$out/ladder.svg"
