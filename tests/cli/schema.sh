# SPDX-License-Identifier: GPL-2.0-or-later
# Outputs are what the JSON schemas of tests/schema say; a document that is not is noticed.
. "$HERE/common.bash"
# the package is for the system's own python3, which need not be the first on the PATH
for python in /usr/bin/python3 python3 none; do
	! "$python" -c 'import jsonschema' 2> /dev/null || break
done
[ $python != none ] || { echo 'python3-jsonschema is missing' >&2; exit 77; }
# One process for all documents: a line of the list is NAME, FILE, what made it.
cat > validate.py <<'END'
import json, sys
import jsonschema
checks, bad = {}, 0
for line in open("list"):
    name, file, what = line.rstrip("\n").split("\t")
    if name not in checks:
        schema = json.load(open("%s/%s.json" % (sys.argv[1], name)))
        jsonschema.Draft7Validator.check_schema(schema)
        checks[name] = jsonschema.Draft7Validator(schema)
    check, document = checks[name], json.load(open(file))
    errors = ["%s: %s" % ("/".join(map(str, e.absolute_path)), e.message[:200])
              for e in check.iter_errors(document)]
    # what says that it is of another kind is not of this one
    if not errors and check.is_valid(dict(document, schema="nvproof.other/1")):
        errors = ["a document of another schema is taken for one of this"]
    for error in errors:
        print("%s is not of %s.json: %s" % (what, name, error), file=sys.stderr)
        bad = 1
sys.exit(bad)
END
nr=0
# valid NAME ARG...: what the program prints is a document of tests/schema/NAME.json
valid() {
	local name=$1
	shift
	nr=$((nr + 1))
	nvproof "$@" --json > document.$nr 2> /dev/null
	printf '%s\t%s\t%s\n' "$name" document.$nr "nvproof $*" >> list
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
valid power power on exec:/bin/true
valid power power cycle exec:/bin/true --off-ms 1
valid golden info sim: --save golden.ini
valid dry-run run sim: --dry-run -c 'io.*'
drive=sim:defect=abort-result-inverted
valid run run $drive -c 'abort.*' -o one --policy sane --spec 2.0 --repeat 2
valid run report one
valid runs run $drive sim: -c 'abort.*' -o two
valid trace trace one
valid run powerloss sim:defect=flush-lies --cycles 3 --phase writes --workload mixed --seed 7 -o cut
replay=$(ls cut/cycle-*.replay | head -n 1)
number=${replay#cut/cycle-}
valid bundle bundle cut "${number%.replay}"
nvproof run sim: -c feature.arbitration-reads-back -o whole > whole.out
mkdir killed
sed '/"type":"undo"/q' whole/events.jsonl > killed/events.jsonl
valid restore restore killed
for file in one/run.json two/run.json two/*/run.json cut/run.json; do
	name=run
	[ $file != two/run.json ] || name=runs
	printf '%s\t%s\t%s\n' $name $file $file >> list
done
valid error new-case identify.sky-is-blue
valid error cases --by nothing
valid error run sim: -c nothing.at-all
valid error bundle cut 77777
must "every document is of its schema" $python validate.py "$TOP/tests/schema"
# no schema without a document
must "every schema is used" diff <(cd "$TOP/tests/schema" && ls ./*.json | sed 's,./\(.*\)\.json,\1,' | sort) <(cut -f 1 list | sort -u)
