#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# layers.sh: the arrows between the folders, enforced: who may include what, where the calls of each
# outside library may stand, what cases must not contain. With OUT set, also the names in the library.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 1
bad=0
rules=0

complain() {
	bad=$((bad + 1))
	echo "$1: $2"
}

# Files that match, or nothing.
files() { find "$@" -name '*.[ch]' 2> /dev/null | sort; }

# file:line:header of every include; `<` or `"` in front of the header
includes() {
	[ $# -gt 0 ] || return 0
	grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]+' "$@" |
		sed -E 's/^([^:]+:[0-9]+):[^<"]*([<"])(.*)$/\1 \2\3/'
}

# --- which internal headers a folder may include ---------------------------------------------------
# folder (or one file, which replaces its folder's row): folders, or single headers

allow='
include            -
cases              cases
core/base          core/base
core/nvme          core/base core/nvme
core/sim           core/base core/nvme/fields.h core/sim
core/drive         core/base core/nvme core/drive
core/drive/bar_sim.c  core/base core/drive core/sim
core/perf          core/base core/perf
core/run           core/base core/run
core/report        core/base core/report
core/cli           core/base core/nvme core/run core/report core/cli core/sim/sim.h
pcie               core/base pcie
pcie/access_sim.c  core/base pcie core/sim
power              core/base power
power/relay_sim.c  core/base power core/sim
'

# folder: public headers that it may not include (all others it may)
deny='
core/base          case.h check.h rig.h drive.h drive_ops.h pcie.h power.h perf.h event.h
core/nvme          case.h check.h rig.h drive.h drive_ops.h pcie.h power.h perf.h event.h
core/sim           case.h check.h rig.h drive.h drive_ops.h pcie.h power.h perf.h event.h
core/drive         case.h check.h rig.h perf.h event.h
core/perf          case.h check.h rig.h event.h
core/report        case.h check.h rig.h drive.h drive_ops.h bar.h buf.h cmd.h build.h decode.h pcie.h power.h perf.h clock.h
pcie               case.h check.h rig.h event.h
power              case.h check.h rig.h event.h
'

# The row of the file itself, else of its folder; read once into tables, since a process for each of
# a thousand includes takes longer than everything else here.
declare -A may mustnot
while read -r at words; do [ -z "$at" ] || may[$at]=$words; done <<< "$allow"
while read -r at words; do [ -z "$at" ] || mustnot[$at]=$words; done <<< "$deny"
place_of() {
	if [ -n "${may[$1]:-}" ]; then place=$1; else
		place=${1%/*}
		[ -n "${may[$place]:-}" ] || place=${place%%/*}
	fi
}

libc=' aio alloca assert byteswap ctype dirent dlfcn endian err errno fcntl fenv float fnmatch getopt glob ifaddrs inttypes
limits locale malloc math memory netdb poll pthread sched setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint
stdio stdlib stdnoreturn string strings syslog termios time unistd wchar '

libc=${libc//$'\n'/ }

# A header of the system: libc, the kernel's user interface, the compiler.
system_header() {
	case $1 in
	linux/vfio.h) return 1 ;;
	sys/* | linux/* | asm/* | arpa/* | netinet/* | net/* | immintrin.h | cpuid.h | sanitizer/*) return 0 ;;
	esac
	[[ $libc == *" ${1%.h} "* ]]
}

# where an outside library may be: header, then the only files; `one` is any file, but one alone
outside='
liburing.h      core/base/uring.c
libnvme.h       core/drive/kernel.c
nvme/           core/nvme/ core/drive/kernel.c
pci/pci.h       pcie/access_libpci.c
linux/vfio.h    core/drive/bar_vfio.c core/drive/vfio core/drive/bar_vfio_
gpiod.h         power/gpio_v1.c power/gpio_v2.c tests/unit/test_gpio_v2.c
json-c/         one
isa-l.h         one
isa-l/          one
ini.h           one
blkid/          one
hidapi/         one
'

declare -A used_in
check_include() {
	local file=$1 line=$2 kind=${3:0:1} header=${3:1} table w where place
	rules=$((rules + 1))
	if [ "$kind" = '"' ]; then
		place_of "$file"
		for w in ${may[$place]:-}; do
			[[ $header == "$w" || $header == "$w"/* ]] && return
		done
		complain "$file:$line" "includes \"$header\"; $place may include: ${may[$place]:-nothing, it has no row}"
		return
	fi
	case $header in
	nvproof/*)
		place=${file%/*}
		[[ " ${mustnot[$place]:-} " == *" ${header#nvproof/} "* ]] && complain "$file:$line" "layer $place must not include <$header>"
		return
		;;
	nvp_version.h)
		[[ $file == core/cli/* || $file == core/run/* ]] || complain "$file:$line" "<$header> is for core/cli and core/run"
		return
		;;
	esac
	system_header "$header" && return
	while read -r table where; do
		[ -n "$table" ] && [[ $header == "$table"* ]] || continue
		[[ $file == *.h ]] && { complain "$file:$line" "a header must not include <$header>"; return; }
		if [ "$where" = one ]; then
			used_in[$table]="${used_in[$table]:-} $file"
			return
		fi
		for w in $where; do
			[[ $file == "$w"* ]] && return
		done
		complain "$file:$line" "<$header> belongs in: $where"
		return
	done <<< "$outside"
	complain "$file:$line" "unknown header <$header>: neither libc nor a library of the table"
}

mapfile -t all < <(files include cases core pcie power)
while read -r at header; do
	check_include "${at%:*}" "${at##*:}" "$header"
done < <(includes "${all[@]}")

for lib in "${!used_in[@]}"; do
	mapfile -t where < <(tr ' ' '\n' <<< "${used_in[$lib]}" | sort -u | sed '/^$/d')
	[ ${#where[@]} -le 1 ] || complain "<$lib>" "one file only may call it, found: ${where[*]}"
done

# --- public headers and cases -----------------------------------------------------------------------

while read -r at header; do
	case $header in
	'<nvproof/'*) ;;
	'<std'* | '<errno.h' | '<inttypes.h' | '<limits.h' | '<string.h') ;;
	*) complain "$at" "a public header needs libc alone, not $header" ;;
	esac
done < <(mapfile -t h < <(files include); includes "${h[@]}")

# what must not stand in code: pattern, folder, why. Comments do not count.
without_comments() { sed -E ':a; s,/\*[^*]*\*+([^/*][^*]*\*+)*/,,g; s,//.*$,,' "$1" | sed -E '/^[[:space:]]*\/?\*/d'; }
forbid() {
	local pattern=$1 why=$2 f n text
	shift 2
	mapfile -t list < <(files "$@" | grep -vxF -e "${except:-/}")
	rules=$((rules + ${#list[@]}))
	[ ${#list[@]} -gt 0 ] || return 0
	while IFS=: read -r f n text; do
		! grep -qE "$pattern" <(without_comments <(echo "$text")) || complain "$f:$n" "$why"
	done < <(grep -HnE "$pattern" "${list[@]}")
}
forbid '#[[:space:]]*include[[:space:]]*<(stdio|unistd|fcntl|sys/[^>]*|linux/[^>]*|dirent)\.h>' 'a case sees contracts only' cases
forbid '\b(v?f?printf|puts|putchar|fputs|perror|write|open)[[:space:]]*\(' 'a case does not print or open files' cases
forbid '"/(sys|dev|proc)' 'a case knows no path of the system' cases
# the simulated drive's own clock is one: clock=real has to sleep in its wait
except=core/sim/sim.c
forbid '\b(u|nano|clock_nano)?sleep[[:space:]]*\(' 'time passes through the clock of the rig' cases core/nvme core/sim core/drive core/report pcie power
except=
forbid '^[[:space:]]*#[[:space:]]*if.*\bHAVE_' 'an optional library is two files, X.c and X_none.c' core pcie power cases include
forbid '\bato(i|l|ll|f)[[:space:]]*\(' 'numbers come through core/base/parse.h' core pcie power cases
forbid '^typedef[[:space:]]+struct' 'no typedef of structs' core pcie power cases include
forbid '__attribute__.*(constructor|section)' 'no constructors, no linker sections' core pcie power cases

# --- what the archive says --------------------------------------------------------------------------

lib=${OUT:-}/libnvproof.a
if [ -n "${OUT:-}" ] && [ -e "$lib" ]; then
	rules=$((rules + 1))
	names=$(nm -g --defined-only "$lib" 2> /dev/null | awk 'NF == 3 && $3 !~ /^(nvp_|NVP_)/ && $3 !~ /^(__asan|__odr_asan|__ubsan|DW\.ref)/ { print $3 }' | head)
	[ -z "$names" ] || complain "$lib" "names without the prefix nvp_: ${names//$'\n'/ }"
	# Constants with pointers in them are .data.rel.ro here; what is .data or .bss can change. The one
	# exception is the list of defects, sorted once from const tables (core/sim/defects.c).
	once='catalogue|hook_of|nr_defects|catalogue_once'
	globals=$(objdump -t "$lib" 2> /dev/null | awk '/ O (\.data|\.bss|\.tbss|\.tdata|\*COM\*)[ \t]/ { print $NF }' | grep -vxE "$once" | head)
	[ -z "$globals" ] || complain "$lib" "data that is not const: ${globals//$'\n'/ }"
fi

[ ${#all[@]} -gt 0 ] || complain layers "found no sources"
[ $bad = 0 ] && echo "layers: $rules includes and files, all as they should be"
[ $bad = 0 ]
