# SPDX-License-Identifier: GPL-2.0-or-later
# What the scripts of this folder share. Sourced, never run.
set -u

# Times, versions and traces out of what is compared: they are not what these tests are about.
mask() {
	sed -E -e 's/ in [0-9]+\.[0-9]{3} s/ in T s/' -e 's/0\.[0-9]+\.[0-9]+-g[0-9a-f]{12}/VERSION/' \
		-e 's/^nvproof [0-9]+\.[0-9.]+$/nvproof VERSION/' -e 's,(cases/[a-z_]+\.c|core/drive/[a-z_]+\.c):[0-9]+,\1:LINE,' \
		-e 's/^ +[0-9]+ +[0-9]+\.[0-9]{3} us  .*$/          (a line of the trace)/' \
		-e 's/nvproof-runs\/[^ ]*/nvproof-runs\/RUN/' | uniq
}

# show ARG...: the command, both streams masked, the exit code
show() {
	local rc=0
	echo "\$ nvproof $*"
	nvproof "$@" > show.out 2>&1 || rc=$?
	mask < show.out
	echo "= $rc"
}

# code N ARG...: the exit code must be N; the streams stay in code.out and code.err
code() {
	local want=$1 rc=0
	shift
	nvproof "$@" > code.out 2> code.err || rc=$?
	[ $rc = "$want" ] && return
	echo "nvproof $*: exit $rc, expected $want" >&2
	tail -n 5 code.err >&2
	exit 1
}

# must WORDS COMMAND...: a condition in words
must() {
	local what=$1
	shift
	"$@" && return
	echo "not so: $what" >&2
	exit 1
}

need() {
	local tool
	for tool; do
		command -v "$tool" > /dev/null || { echo "$tool is missing" >&2; exit 77; }
	done
}
