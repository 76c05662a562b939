# SPDX-License-Identifier: GPL-2.0-or-later
# Between two cases: what a case leaves behind is found, named, and put right.
. "$HERE/selftest.bash"

selftest mess 3 sim: -c 'runner.leaves-*' -c runner.threshold-is-the-default -c runner.passes
verdict mess leaves-a-queue broken 'left-behind: controller or queues not at the baseline'
verdict mess leaves-a-feature broken 'left-behind: feature 04h (Temperature Threshold) is 0x14d, was 0x'
verdict mess leaves-a-saved-feature broken 'left-behind: feature 04h'
has mess '.case == "runner.leaves-a-saved-feature" and .type == "case.end" and (.reason | test("the saved value of feature 04h"))'
verdict mess leaves-an-event-request broken 'left-behind: 1 command outstanding'
verdict mess leaves-commands broken 'left-behind: 3 commands outstanding'
verdict mess leaves-the-controller-disabled broken 'left-behind: controller or queues not at the baseline'
verdict mess threshold-is-the-default pass
verdict mess passes pass
has mess '.type == "reset" and .case == "runner.leaves-commands" and .kind == "controller"'
traced mess leaves-a-feature
ended mess 3

# A fail accuses the drive, whatever else the case left undone.
selftest fail 1 sim: -c runner.fails-and-leaves-commands -c runner.waits-for-what-never-comes -c runner.passes
verdict fail fails-and-leaves-commands fail 'expected '
has fail '.type == "note" and .case == "runner.fails-and-leaves-commands" and (.text | test("^left behind: 3 commands"))'
verdict fail waits-for-what-never-comes fail 'expected a completion within the budget, seen none: nvp_wait_cid'
verdict fail passes pass
ended fail 1

# What is given back by the rules is no mess, also when it has to wait for the reset.
selftest good 3 sim: -c runner.changes-a-feature -c runner.changes-a-feature-and-disables -c runner.changes-what-cannot-change \
	-c runner.threshold-is-the-default
verdict good changes-a-feature pass
verdict good changes-a-feature-and-disables broken 'left-behind: controller or queues not at the baseline'
verdict good changes-what-cannot-change pass
verdict good threshold-is-the-default pass
jq -e -s 'map(select(.type == "undone" and .ok)) | length == 3' good/events.jsonl > /dev/null ||
	complain "all three undone" good/events.jsonl
finish
