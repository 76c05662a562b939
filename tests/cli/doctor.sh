# SPDX-License-Identifier: GPL-2.0-or-later
# doctor judges the machine that --root shows: one that has everything, one that has nothing.
. "$HERE/common.bash"
need jq
mkdir -p good/{sys/kernel/iommu_groups/{0,1},sys/bus/pci/drivers/vfio-pci,sys/module/nvme/parameters,dev/vfio}
mkdir -p good/proc/{self,sys/kernel} good/sys/class/nvme/nvme0 good/sys/devices/system/cpu/cpu{0,1}/cpufreq
echo 6.1.0-13-amd64 > good/proc/sys/kernel/osrelease
printf '%-26s%-21s%-21s%s\n' 'Limit' 'Soft Limit' 'Hard Limit' Units 'Max locked memory' unlimited unlimited bytes > good/proc/self/limits
echo performance | tee good/sys/devices/system/cpu/cpu{0,1}/cpufreq/scaling_governor > /dev/null
echo 4 > good/sys/module/nvme/parameters/poll_queues
echo live > good/sys/class/nvme/nvme0/state
touch good/dev/vfio/vfio good/dev/gpiochip0 good/dev/nvme0 good/dev/nvme0n1
show doctor --root good
mkdir nothing
show doctor --root nothing
echo powersave > good/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor
echo 5.10.0 > good/proc/sys/kernel/osrelease
sed -i 's/unlimited/8388608  /' good/proc/self/limits
echo 0 > good/sys/module/nvme/parameters/poll_queues
rm good/dev/vfio/vfio
echo dead > good/sys/class/nvme/nvme0/state
show doctor --root good
show doctor --root good --json
show run sim: --root good
rc=0
nvproof doctor --json > here || rc=$?
must "this machine has an answer too" jq -e '.schema == "nvproof.doctor/1" and (.lines | length) == 10 and
	all(.lines[]; (.health == "ok") == (.mend == null))' here > /dev/null
must "exit 3 when something is bad" [ "$rc" = "$(jq 'if any(.lines[]; .health == "bad") then 3 else 0 end' here)" ]
