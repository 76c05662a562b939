# What nvme-cli prints of a structure against what nvproof prints: each of its keys has to stand in ours with
# the same value. `new` gives our name for a key of theirs that has another one; null in ours is "none", which
# is 0 on the wire. A structure of theirs ($theirs), of ours ($ours); the output: lines that differ.

def hex: ltrimstr("0x") | explode | reduce .[] as $c (0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end));
def canonical:
	if . == null then 0
	elif type == "boolean" then (if . then 1 else 0 end)
	elif type != "string" then .
	else ascii_downcase | sub(" +$"; "")
		| if test("^[0-]*$") then 0
		elif test("^0x[0-9a-f]{1,12}$") then hex
		elif test("^[0-9]{1,15}$") then tonumber
		else ltrimstr("0x") end
	end;
def version: if type == "string" then split(".") | map(tonumber) | .[0] * 65536 + .[1] * 256 + .[2] else . end;

def differ($theirs; $ours; $new):
	$theirs | to_entries[] | select(.value | type != "array" and type != "object")
	| ($new[.key] // .key) as $name
	| (if .key == "ver" then $ours[$name] | version else $ours[$name] end) as $mine
	| if ($ours | has($name) | not) then "\(.key): not among ours"
	elif (.value | canonical) != ($mine | canonical) then "\(.key): nvme-cli \(.value), nvproof \($mine)"
	else empty end;
# Of what counts: theirs from before, theirs from after, and ours neither below nor above.
def outside($before; $after; $ours; $new):
	$before | keys[] | . as $key | ($new[$key] // $key) as $name
	| if ($ours | has($name) | not) then "\($key): not among ours"
	elif ($ours[$name] | canonical) < ($before[$key] | canonical) or ($ours[$name] | canonical) > ($after[$key] | canonical)
	then "\($key): nvme-cli \($before[$key]) to \($after[$key]), nvproof \($ours[$name])"
	else empty end;
def counted($theirs): [$theirs | to_entries[] | select(.value | type != "array" and type != "object")] | length;

def power_state: { max_power: "mp", entry_lat: "enlat", exit_lat: "exlat", read_tput: "rrt", read_lat: "rrl",
	write_tput: "rwt", write_lat: "rwl", idle_power: "idlp", idle_scale: "ips", active_power: "actp",
	active_power_work: "apw", active_scale: "aps" };
def smart: { avail_spare: "available_spare", controller_busy_time: "busy_minutes",
	critical_comp_time: "critical_temp_minutes", endurance_grp_critical_warning_summary: "egcws",
	host_read_commands: "host_reads", host_write_commands: "host_writes",
	num_err_log_entries: "error_log_entries", percent_used: "percentage_used", spare_thresh: "spare_threshold",
	temperature: "composite_temperature", warning_temp_time: "warning_temp_minutes",
	thm_temp1_total_time: "thermal1_seconds", thm_temp1_trans_count: "thermal1_count",
	thm_temp2_total_time: "thermal2_seconds", thm_temp2_trans_count: "thermal2_count" };
def error: { cmdid: "cid", parm_error_location: "parameter_error_location", vs: "vendor_log",
	cs: "command_specific", trtype_spec_info: "transport_specific" };
