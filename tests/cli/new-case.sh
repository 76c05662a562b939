# SPDX-License-Identifier: GPL-2.0-or-later
# What new-case writes compiles, and is broken until it has a check; nothing is overwritten.
. "$HERE/common.bash"
show new-case identify.sky-is-blue
mkdir cases
show new-case identify.sky-is-blue
cp cases/identify_sky_is_blue.c before
show new-case identify.sky-is-blue
must "it was not touched" cmp -s before cases/identify_sky_is_blue.c
show new-case admin.int --json
show new-case identfy.sky-is-blue
show new-case identify
show new-case 'identify.../x'
show new-case register.version-matches-identify
show new-case
for file in cases/*.c; do
	must "$file compiles" ${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
		-I "$TOP/include" -I "$TOP" -c -o "$file.o" "$file"
done
