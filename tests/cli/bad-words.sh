# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever word is wrong: exit 2 and one line that names it and the nearest valid name; with --json
# the same as one document.
. "$HERE/common.bash"
need jq
printf 'x\n' > file
mkdir full && : > full/old
printf 'seed = 7\nsede = 3\n' > bad.ini
printf '[waiver a]\ncase = abort.*\n' > bad.waivers

bad() {
	show "$@"
	must "one line" test "$(wc -l < show.out)" = 1
	nvproof --json "$@" > json.out 2> json.err
	must "exit 2 with --json too" test $? = 2
	must "one document" jq -se 'length == 1 and .[0].schema == "nvproof.error/1" and .[0].exit_code == 2' json.out > /dev/null
	must "the same words" test "nvproof: $(jq -r .error json.out)" = "$(cat show.out)"
}

bad
bad rum sim:
bad lsit
bad list extra
bad run
bad run sim: --sede 3
bad run sim: --seed
bad run sim: -o --seed
bad run sim: --seed x
bad run sim: --seed 18446744073709551616
bad run sim: --timeout-scale 0
bad run sim: --policy snae
bad run sim: --trace some
bad run sim: --shuffle=perhaps
bad run sim: --allow stat
bad run sim: --allow state,,data
bad list --shuffle
bad cases -c 'no-such-case.*'
bad cases -c identify.reserved-cns-is-refsed
bad run sim: -c identify.reserved-cns-is-refsed
bad run sim: -c 'identify.*' -c 'nothing.*'
bad run simm:
bad run sim:szie=1G
bad run sim:size=1000
bad run sim:size=1X
bad run sim:lba=513
bad run sim:profile=entreprise
bad run sim:vwc=maybe
bad run sim:ns=0
bad run sim:defect=abort-statu
bad run sim:serial=A sim:serial=A
bad run file
bad run /dev/null
bad run /dev/nvme999
bad run pci:1:2
bad info simm:
bad info sim:lbaa=512
bad run sim: -o full
bad run sim: --config absent.ini
bad run sim: --config bad.ini
bad run sim: --waive absent
bad run sim: --waive bad.waivers
bad report absent
bad report full
bad trace full
NVPROOF_SEDE=3 bad list
NVPROOF_SEED=x bad run sim:
NVPROOF_ALLOW=data bad run sim:
must "nothing was run" test ! -e nvproof-runs

# A function that is not there, or no function at all, by whatever command it is asked for.
for command in run info bind unbind; do
	bad $command pci:zz
	bad $command pci:00ff:fe:1f.7
done
bad bind /dev/nvme987
bad bind sim:
bad bind
bad unbind pci:00ff:fe:1f.7 --force
