# SPDX-License-Identifier: GPL-2.0-or-later
# A golden Identify file: saved, compared with, masked; another model and bad files are refused.
. "$HERE/common.bash"
need jq
c=identify.matches-golden-file
show info sim:ns=2 --save e.ini
show info sim:ns=2 --save e.ini
show info sim: --save nowhere/e.ini
show info sim: --save minimal.ini --json
must "the sections" test "$(grep -c '^\[' e.ini)" = 12
show run sim:ns=2 --golden e.ini -c $c -o same
must "another serial number is masked" test "$(nvproof run sim:ns=2,serial=OTHER --golden e.ini -c $c -o other | grep -c ^pass)" = 1
must "what is masked and differs is a note" grep -q 'controller.sn differs and is ignored' other/run.json
for d in arbitration-burst-drifts vendor-bytes-drift boundary-drifts; do
	show run sim:ns=2,defect=identify-$d --golden e.ini -c $c --trace none -o $d
done
sed 's/^\[mask\]/&\nignore = namespace.?.noiob/' e.ini > masked.ini
show run sim:ns=2,defect=identify-boundary-drifts --golden masked.ini -c $c -o masked
show run sim:ns=1 --golden e.ini -c $c --trace none -q -o less
show run sim: -c $c -o none
show run sim:profile=minimal --golden e.ini -c $c -o model
must "no run directory" test ! -e model
sed 's/^\[golden\]/&\nmodell = 1/' e.ini > bad.ini
show run sim: --golden bad.ini -c $c
show run sim: --golden missing.ini -c $c
