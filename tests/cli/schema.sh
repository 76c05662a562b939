# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs are what the JSON schemas of tests/schema say; a document that is not is noticed.
. "$HERE/common.bash"
# the package is for the system's own python3, which need not be the first on the PATH
for python in python3 /usr/bin/python3 none; do
	! "$python" -c 'import jsonschema' 2> /dev/null || break
done
[ $python != none ] || { echo 'python3-jsonschema is missing' >&2; exit 77; }
cat > validate.py <<'END'
import json, sys
import jsonschema
schema, document = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
check = jsonschema.Draft7Validator(schema)
errors = list(check.iter_errors(document))
# what says that it is of another kind is not of this one
if not errors and check.is_valid(dict(document, schema="nvproof.other/1")):
    sys.exit("a document of another schema is taken for one of this")
for e in errors:
    print("%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200]), file=sys.stderr)
sys.exit(1 if errors else 0)
END
# valid NAME ARG...: what the program prints is a document of tests/schema/NAME.json
valid() {
	local name=$1
	shift
	nvproof "$@" --json > document 2> /dev/null
	must "nvproof $* is of $name.json" $python validate.py "$TOP/tests/schema/$name.json" document
}
mkdir cases
valid cases cases
valid cases-by cases --by section
valid cases-by cases --by area
valid cases-by cases --by row
valid defects defects
valid doctor doctor
valid list list
valid new-case new-case identify.sky-is-blue
valid info info sim:
valid info info sim:ns=2,lba=4096
valid info info sim:profile=minimal
valid golden info sim: --save golden.ini
valid dry-run run sim: --dry-run -c 'io.*'
drive=sim:defect=abort-result-inverted
valid run run $drive -c 'abort.*' -o one --policy sane --spec 2.0 --repeat 2
valid run report one
valid runs run $drive sim: -c 'abort.*' -o two
valid trace trace one
for file in one/run.json two/run.json two/*/run.json; do
	name=run
	[ $file != two/run.json ] || name=runs
	must "$file is of $name.json" $python validate.py "$TOP/tests/schema/$name.json" $file
done
valid error new-case identify.sky-is-blue
valid error cases --by nothing
valid error run sim: -c nothing.at-all
