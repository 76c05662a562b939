# SPDX-License-Identifier: GPL-2.0-or-later
# Relays by hand: a program as the relay, what it is told, its state, and power back after a cycle.
. "$HERE/common.bash"
need jq
cat > relay << 'END'
#!/bin/sh
cd "${0%/*}"
case $1 in
state) [ ! -e mute ] && cat state ;;
*) [ ! -e "stuck-$1" ] || { echo "contact is welded"; exit 7; }
   echo "$1" > state && echo "$1" >> told ;;
esac
END
chmod +x relay
show power on exec:./relay
show power state exec:./relay
show power off exec:./relay
show power state 'exec:./relay?active-low=1'
show power cycle exec:./relay --off-ms 10 --json | sed -E 's/(_ns": )[0-9]+/\1N/'
must "what it was told" test "$(paste -sd ' ' told)" = "on off on off on"
touch mute
show power on exec:./relay
rm mute
touch stuck-off
show power cycle exec:./relay
must "power is on" grep -q on state

echo '# what cannot be'
show power
show power dance exec:./relay
show power on sim
show power on relay
show power off gpiod:relay/0
show power on exec:nowhere/relay
show power on lcus:/dev/null/1
show power cycle exec:./relay --off-ms 0
