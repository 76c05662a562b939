# SPDX-License-Identifier: GPL-2.0-or-later
# Expectations by the version that --spec names: what is a should in 2.0 and a shall in 2.1, and rules that 1.4 has not.
. "$HERE/common.bash"
need jq
drive=sim:defect=log-nsid-unchecked
for spec in 1.4 2.0 2.1; do
	show run $drive --spec $spec -c 'log.controller-logs-*' -o $spec
	echo "recorded: $(jq -r 'select(.type == "run.begin").spec' $spec/events.jsonl), $(jq -r .spec $spec/run.json)"
done
show run sim: --spec 1.4 -c 'log.mandatory-logs-*' -c 'log.reserved-*' -o old
show run sim: -c 'log.mandatory-logs-*' -o own
must "no spec, none recorded" test "$(jq -r 'select(.type == "run.begin") | has("spec")' own/events.jsonl)" = false
show run --failed-from 2.1 -o again
must "the version of the earlier run" test "$(jq -r .spec again/run.json)" = 2.1
show run sim: --spec 1.9
show run sim: --spec two
NVPROOF_SPEC=2.2 show run sim:
