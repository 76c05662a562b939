# SPDX-License-Identifier: GPL-2.0-or-later
# What README.md and cases/README.md show works: every command of theirs, and the case that they print.
. "$HERE/common.bash"
sed -n 's/^    \$ //p' "$TOP/README.md" > commands
sed -n 's/^    \(nvproof .*\)/\1/p' "$TOP/cases/README.md" >> commands
must "there are commands" test "$(wc -l < commands)" -ge 10
while read -r line; do
	rc=0
	bash -c "$line" > out 2> err || rc=$?
	case $line in
	*'--waiver-skeleton'*) want=0 ;;
	*defect=* | 'nvproof report flush'* | 'nvproof report lies'* | *'--failed-from flush'*) want=1 ;;
	*) want=0 ;;
	esac
	must "'$line' exits $want, not $rc: $(tail -n 1 err)" test $rc = $want
done < commands
must "the verdict that the README shows" grep -q '^fail   io.flush-checks-the-namespace  ' <(nvproof report flush)
# the run that the README prints, but for its times; its own lines are four columns in
sed -n "/^    \\$ nvproof run sim:defect=flush-nsid-unchecked/,/^    results:/p" "$TOP/README.md" |
	sed -E -e 1d -e 's/^    //' -e 's/ in [0-9.]+ s,/ in T s,/' > shown
rm -r flush
nvproof run sim:defect=flush-nsid-unchecked -c 'io.flush-*' -o flush | sed -E 's/ in [0-9.]+ s,/ in T s,/' > printed
must "the run that the README shows" diff shown printed
nvproof report lies > table
for word in cuts confirmed failed '95% bound' 'loss seen' 'late acks' 'RDY p50' 'RDY most' 'blocks by class' OK_VOLATILE_LOSS; do
	must "the table has $word" grep -q -- "$word" table
	must "the README tells of $word" grep -qF -- "\`$word\`" "$TOP/README.md"
done
for key in meta mset pi pil controllers; do
	must "the README tells of the key $key" grep -qE "\`$key(=[a-z]+)?\`" "$TOP/README.md"
done

sed -n '/^```c$/,/^```$/p' "$TOP/cases/README.md" | sed '/^```/d' > shown.c
${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -Wmissing-prototypes -I "$TOP/include" -I "$TOP" -c shown.c -o shown.o
must "the case of cases/README.md compiles" test -e shown.o
