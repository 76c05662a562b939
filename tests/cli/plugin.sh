# SPDX-License-Identifier: GPL-2.0-or-later
# --cases: an object with cases is listed and run beside the others; what is none is refused.
. "$HERE/common.bash"
build() {
	${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I "$TOP/include" -I "$TOP" "$@" || exit 1
}
build -o example.so "$TOP/tests/plugin/example.c"
build -DEXAMPLE_ABI=99 -o other.so "$TOP/tests/plugin/example.c"
echo 'int nothing;' > nothing.c
build -o nothing.so nothing.c
echo 'no object' > text.so
show cases --cases example.so -c 'identify.example-*'
show run sim: --cases ./example.so -c 'identify.example-*' -q -o run
show cases --cases other.so
show cases --cases nothing.so
show cases --cases example.so --cases example.so
show cases -c 'identify.example-*'
code 2 cases --cases missing.so
must "one line that names it" [ "$(grep -c 'missing.so' code.err)" = "$(wc -l < code.err)" ]
code 2 cases --cases text.so
must "one line that names it" [ "$(grep -c 'text.so' code.err)" = "$(wc -l < code.err)" ]

# what new-case writes is broken until it has a check
mkdir cases
code 0 new-case identify.sky-is-blue
sed 's/NVP_SUITE(.*/extern const struct nvp_suite nvp_suite;\nconst struct nvp_suite nvp_suite = {\n.abi = NVP_CASE_ABI, .record_bytes = sizeof(struct nvp_case), .name = "new", .cases = cases, .nr_cases = 1,\n};/' \
	cases/identify_sky_is_blue.c > new.c
build -o new.so new.c
code 3 run sim: --cases new.so -c identify.sky-is-blue -o new
must "broken" grep -q broken code.out
