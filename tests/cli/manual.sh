# SPDX-License-Identifier: GPL-2.0-or-later
# The manual page and the completion name every command and option, and work.
. "$HERE/common.bash"
code 0 help --man
cp code.out nvproof.1
code 0 help --bash
cp code.out completion
code 2 help --man --bash
code 0 help
commands=$(sed -n '/^Commands/,/^$/p' code.out | awk 'NR > 1 && NF { print $1 }')
must "there are commands" [ "$(wc -w <<< "$commands")" -ge 10 ]
for command in $commands; do
	must "$command has its paragraph" grep -qF "\\fB${command//-/\\-}\\fR" nvproof.1
	code 0 help "$command"
	for option in $(grep -oE -- '^  .{4}--[a-z-]+' code.out | grep -oE -- '--[a-z-]+'); do
		must "$option of $command" grep -qF -- "${option//-/\\-}" nvproof.1
		must "$option of $command is completed" grep -qE -- "^		words='(.* )?$option " completion
	done
done
if command -v groff > /dev/null; then
	must "groff has nothing to say" [ -z "$(groff -man -Tutf8 -ww nvproof.1 2>&1 > /dev/null)" ]
fi
must "the completion is bash" bash -n completion

. ./completion
try() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_nvproof
	echo "$* -> ${COMPREPLY[*]}"
}
mkdir -p folder/inner
try nvproof do
try nvproof cases --b
try nvproof cases --by r
try nvproof run si
try nvproof report fol
try nvproof help new
try nvproof run -c identify.reserved
try nvproof run sim: --seed ''
