# SPDX-License-Identifier: GPL-2.0-or-later
# A case that fails leaves registers and logs of the drive, and --on-fail is called for it once; neither
# changes a verdict, whatever goes wrong with them.
. "$HERE/common.bash"
need jq
drive=sim:defect=abort-result-inverted
snapshots() { jq -r 'select(.type == "snapshot") | [.case, .name, .file // "-", .text] | join(" | ")' "$1/events.jsonl"; }
notes() { jq -r 'select(.type == "note" and (.text | test("vidence|on-fail"))) | [.level, .case // "-", .text] | join(" | ")' "$1/events.jsonl"; }
verdicts() { jq -r 'select(.type == "case.end") | .case + " " + .verdict' "$1/events.jsonl"; }
byte() { od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' '; }

cat > hook <<'END_OF_HOOK'
#!/bin/sh
printf '%s arguments: %s %s\n' $# "$1" "$2" >> calls
tail -n 1 "$1/events.jsonl" | grep -q '"type":"case.end"' && echo 'the verdict is in the file' >> calls
ls "$1/evidence" >> calls
echo 'not for a document'
END_OF_HOOK
chmod +x hook
code 1 run $drive -c 'abort.*' -o plain
snapshots plain
must "files of the sizes told" test "$(cd plain/evidence && stat -c %s -- *-error-log.bin *-smart-log.bin *-firmware-log.bin | tr '\n' ' ')" = "4096 512 512 "
must "a temperature in the SMART log" test "$(byte plain/evidence/*-smart-log.bin 2)" -gt 0
must "an active slot in the firmware log" test "$(byte plain/evidence/*-firmware-log.bin 0)" = 1
must "the revision of that slot" grep -q NVPE1.0 plain/evidence/*-firmware-log.bin
code 1 run $drive -c 'abort.*' -o equal
"$TOP/tests/same_events.sh" plain equal > same || { cat same; exit 1; }
must "equal files" diff -r plain/evidence equal/evidence
code 0 run sim: -c 'abort.*' -o good --on-fail ./hook
must "nothing of a drive without a fail" test ! -e good/evidence -a ! -e calls

echo '# the program'
code 1 run $drive -c 'abort.*' -o hooked --on-fail ./hook --json
must "one document" jq -e -s 'length == 1' code.out > /dev/null
must "the words of the program on standard error" grep -q 'not for a document' code.err
cat calls
"$TOP/tests/same_events.sh" plain hooked > same || { cat same; exit 1; }

echo '# once for each case'
rm calls
code 1 run $drive -c 'abort.missing-*' --repeat 3 -o rounds --on-fail ./hook
grep arguments calls
snapshots rounds | cut -d '|' -f 2
verdicts rounds

echo '# a program that is missing, fails, or dies'
printf '#!/bin/sh\nexit 7\n' > seven
printf '#!/bin/sh\nkill -9 $$\n' > nine
chmod +x seven nine
for program in ./missing ./seven ./nine /dev/null; do
	code 1 run $drive -c 'abort.*' -o "bad-$(basename $program)" --on-fail $program
	must "verdicts untouched by $program" diff <(verdicts plain) <(verdicts "bad-$(basename $program)")
	notes "bad-$(basename $program)"
done

echo '# a fail that is waived, and two drives'
cat > known.waivers << 'END_OF_WAIVERS'
[waiver abort-of-nothing]
case = abort.missing-*
evidence = the defect of this test
expires = 2999-12-31
END_OF_WAIVERS
rm calls
code 0 run $drive -c 'abort.*' -o waived --waive known.waivers --on-fail ./hook
must "not called" test ! -e calls
must "evidence of it all the same" test -s waived/evidence/1-smart-log.bin
code 1 run $drive sim:profile=minimal,defect=abort-result-inverted -c 'abort.missing-*' -o two --on-fail ./hook
must "each drive its directory" test "$(grep -c '^2 arguments: two/[A-Z0-9]* abort.missing' calls)" = 2

echo '# logs only of a drive that stands still'
code 1 run sim:defect=io-command-lost:nth=1 -c io.writes-read-back -c register.version-* -o lost
snapshots lost
must "the reset before the logs" jq -e -s '(map(.type == "reset") | index(true)) as $r | (map(.name == "smart-log") | index(true)) > $r' lost/events.jsonl > /dev/null
code 1 run sim:defect=csts-rdy-late:ms=60000 -c register.ready-follows-enable -o limp
snapshots limp
notes limp
code 1 run sim:defect=csts-rdy-late:ms=60000 -c register.ready-follows-enable -o limp-again
"$TOP/tests/same_events.sh" limp limp-again > same || { cat same; exit 1; }

echo '# evidence that cannot be kept'
c() { nvproof-selftest run sim: -c "runner.$1" -c runner.passes -o "$1" > /dev/null 2>&1; echo "= $?"; snapshots "$1"; notes "$1"; verdicts "$1"; }
c fails-with-a-full-disk
must "no half files" test -z "$(ls fails-with-a-full-disk/evidence)"
c fails-and-dies-of-its-evidence

echo '# a signal while the program runs'
printf '#!/bin/sh\nkill -TERM $PPID\nexec sleep 100\n' > ends-us
chmod +x ends-us
code 143 run $drive -c 'abort.*' -o signalled --on-fail ./ends-us
notes signalled
verdicts signalled
# what the kernel said meanwhile: one event for the case that failed, whether it said something or not
code 1 run sim:defect=abort-result-inverted -c 'abort.*' --repeat 2 -o kernel
must "one klog event, lines under host" jq -es '[.[] | select(.type == "klog")] | length == 1 and
	(.[0].case | startswith("abort.missing-")) and (.[0].host.lines | type == "array")' kernel/events.jsonl > /dev/null
