# SPDX-License-Identifier: GPL-2.0-or-later
# Help is made from the tables: of the program and of each command.
. "$HERE/common.bash"
show help
for command in cases defects doctor info list new-case report run trace; do show help $command; done
show --version
code 0 help run
cp code.out as-command
code 0 run --help
must "run --help is help run" cmp -s as-command code.out
code 0 --help
cp code.out as-option
code 0 help
must "--help is help" cmp -s as-option code.out
