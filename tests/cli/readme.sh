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
	*defect=* | 'nvproof report flush'* | *'--failed-from flush'*) want=1 ;;
	*) want=0 ;;
	esac
	must "'$line' exits $want, not $rc: $(tail -n 1 err)" test $rc = $want
done < commands
must "the verdict that the README shows" grep -q '^fail   io.flush-checks-the-namespace  ' <(nvproof report flush)

sed -n '/^```c$/,/^```$/p' "$TOP/cases/README.md" | sed '/^```/d' > shown.c
"${CC:-gcc}" -std=gnu11 -Wall -Wextra -Werror -Wmissing-prototypes -I "$TOP/include" -I "$TOP" -c shown.c -o shown.o
must "the case of cases/README.md compiles" test -e shown.o
