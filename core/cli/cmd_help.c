// SPDX-License-Identifier: GPL-2.0-or-later
// The table of commands, and help made from it and from the table of options.

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <nvproof/drive_ops.h>

#include "core/cli/command.h"
#include "core/cli/manual.h"
#include "core/sim/sim.h"

static const char bind_text[] =
	"Hands the drive to the driver vfio-pci, so that `nvproof run pci:ADDRESS` works it with\n"
	"queues, registers and resets of its own. DRIVE is pci:0000:01:00.0 or /dev/nvme0. Its block\n"
	"devices go away until `nvproof unbind`. A drive that is mounted, swap or held is refused,\n"
	"whatever is forced, and so is one whose IOMMU group has other members.\n";

static const char unbind_text[] =
	"Hands the drive back to the kernel's own driver. Refused while somebody has it open.\n";

static const char bundle_text[] =
	"Writes DIR/bundle-cycle-CYCLE.tar for the drive's maker: the block and its neighbours as\n"
	"they were read, what they may hold, every operation of the cycle, the journal's part in\n"
	"words, events, log pages, trace, and the replay. DIR is the run directory of a powerloss.\n";

static const char powerloss_text[] =
	"A campaign of cycles: work on many queues, a cut while it goes on, power on again, and every\n"
	"block that the work touched is read and judged by what the specification lets it hold. The\n"
	"range that is used is overwritten. On a simulated drive the supply is simulated too; a real\n"
	"drive needs --relay, --allow and --serial. With no fail in N confirmed cuts the probability of\n"
	"one is below 1 - 0.05^(1/N) with 95 % confidence.\n";

static const char run_text[] =
	"Run the cases on each drive, print a verdict for each, and leave a run directory.\n"
	"On a simulated drive everything is allowed. On a real drive cases only read unless\n"
	"--allow names more and --serial the drive; with --allow a drive that is mounted, is swap\n"
	"or has a holder is refused, and no option overrides that.\n"
	"\n"
	"With --resume or --failed-from the drive, the seed, the order, the policy and the rounds\n"
	"are those of the earlier run unless given; --allow and --serial have to be given again.\n"
	"\n"
	"The first fail of a case leaves the drive's registers in the events and its error, SMART and\n"
	"firmware logs below evidence/ in the run directory; then --on-fail PROGRAM is called and\n"
	"waited for while the drive stands still. A fail that is waived does not call it.\n"
	"\n"
	"Exit code: 0 nothing failed and something passed, 1 a case failed, 2 usage, 3 a case is\n"
	"broken or nothing was tested, 4 refused for safety, 130 or 143 interrupted.\n";

static const char info_text[] =
	"Identify data, SMART, firmware slots, namespaces and registers of a drive. It only reads.\n";

static const char report_text[] =
	"Print the report of a run directory again, from its events.jsonl alone, and write its\n"
	"run.json and junit.xml anew. The exit code is that of the run, 3 when its end is missing.\n";

static const char trace_text[] =
	"Print the commands, completions and register accesses that a run has kept.\n";

static const char restore_text[] =
	"A run writes each change of a drive's settings to its events before it makes it, and gives\n"
	"it back when the case ends, whatever ends it. Only SIGKILL or a machine that stops leaves\n"
	"something: this reads DIR/events.jsonl and gives back what is open, the last change first.\n"
	"On a real drive it needs --allow state (and erase for a format) and --serial.\n"
	"\n"
	"Exit code: 0 all is as it was, 3 something could not be given back, 4 refused.\n";

static const char power_text[] =
	"ACTION is on, off, cycle or state. A cycle is done by a process that gives power back whatever\n"
	"happens to this one, and tells how long each switch took; --off-ms is how long it is away.\n"
	"Nothing is asked of a drive: clean it up before, and know which one hangs on the relay.\n"
	"\n"
	"Exit code: 0 done, 2 no such relay, 3 the device did not do it.\n";

static const char doctor_text[] =
	"Look at the kernel, the IOMMU, vfio-pci, permissions, memory, GPIO chips, the governor and\n"
	"poll queues, open nothing, and say for each ok, warn or bad, with the command that mends it.\n"
	"\n"
	"Exit code: 0 ready, 3 a drive that is there cannot be used.\n";

static const char new_case_text[] =
	"Write cases/AREA_ID.c, with the record and the empty function of a case. Until it has a\n"
	"check the case is broken. A file that exists is never overwritten.\n";

const struct nvp_command nvp_command_table[] = {
	{ .name = "bind", .bit = NVP_OF_BIND, .operands = "DRIVE", .least = 1, .most = 1,
	  .run = nvp_cmd_bind, .title = "hand a drive to vfio-pci, for our own driver",
	  .text = bind_text },
	{ .name = "bundle", .bit = NVP_OF_BUNDLE, .operands = "DIR CYCLE", .least = 2, .most = 2,
	  .run = nvp_cmd_bundle, .title = "pack all that a run kept of one cycle into one file",
	  .text = bundle_text },
	{ .name = "cases", .bit = NVP_OF_CASES, .operands = "", .run = nvp_cmd_cases,
	  .title = "list the cases, what each holds and what it does to a drive" },
	{ .name = "defects", .bit = NVP_OF_DEFECTS, .operands = "", .run = nvp_cmd_defects,
	  .title = "list what a simulated drive can be told to do wrong" },
	{ .name = "doctor", .bit = NVP_OF_DOCTOR, .operands = "", .run = nvp_cmd_doctor,
	  .title = "is this machine ready for real drives, and what mends it", .text = doctor_text },
	{ .name = "help", .bit = NVP_OF_HELP, .operands = "[COMMAND]", .most = 1,
	  .run = nvp_cmd_help, .title = "this list, or more about one command" },
	{ .name = "info", .bit = NVP_OF_INFO, .operands = "DRIVE", .least = 1, .most = 1,
	  .run = nvp_cmd_info, .title = "what a drive says about itself", .text = info_text },
	{ .name = "list", .bit = NVP_OF_LIST, .operands = "", .run = nvp_cmd_list,
	  .title = "the NVMe drives of this machine" },
	{ .name = "new-case", .bit = NVP_OF_NEW_CASE, .operands = "AREA.ID", .least = 1, .most = 1,
	  .run = nvp_cmd_new_case, .title = "the file of a new case, to be filled",
	  .text = new_case_text },
	{ .name = "power", .bit = NVP_OF_POWER, .operands = "ACTION RELAY", .least = 2, .most = 2,
	  .run = nvp_cmd_power, .title = "switch a relay by hand: on, off, cycle or state",
	  .text = power_text },
	{ .name = "powerloss", .bit = NVP_OF_POWERLOSS, .operands = "DRIVE", .least = 1, .most = 1,
	  .run = nvp_cmd_powerloss, .title = "cut the supply again and again, and prove the data",
	  .text = powerloss_text },
	{ .name = "report", .bit = NVP_OF_REPORT, .operands = "DIR", .least = 1, .most = 1,
	  .run = nvp_cmd_report, .title = "report a run again from its events",
	  .text = report_text },
	{ .name = "restore", .bit = NVP_OF_RESTORE, .operands = "DIR", .least = 1, .most = 1,
	  .run = nvp_cmd_restore, .title = "give back what a run changed that was killed",
	  .text = restore_text },
	{ .name = "run", .bit = NVP_OF_RUN, .operands = "DRIVE...", .least = 0, .most = 64,
	  .run = nvp_cmd_run, .title = "run the cases on drives", .text = run_text },
	{ .name = "trace", .bit = NVP_OF_TRACE, .operands = "DIR", .least = 1, .most = 1,
	  .run = nvp_cmd_trace, .title = "the commands that a run has kept", .text = trace_text },
	{ .name = "unbind", .bit = NVP_OF_UNBIND, .operands = "DRIVE", .least = 1, .most = 1,
	  .run = nvp_cmd_unbind, .title = "hand a drive back to the kernel's driver",
	  .text = unbind_text },
	{ .name = NULL }
};

static void add_words(struct nvp_text *out, const char *label, const char *const *words)
{
	nvp_text_addf(out, "  %-24s  %s", "", label);
	for (; *words; words++)
		nvp_text_addf(out, " %s", *words);
	nvp_text_add(out, "\n");
}

static void add_drives(struct nvp_text *out)
{
	nvp_text_add(out, "\nDrives\n");
	for (const struct nvp_drive_ops *const *b = nvp_drive_backends(); *b; b++) {
		nvp_text_addf(out, "  %-24s  %s\n", (*b)->name, (*b)->help);
		if (strcmp((*b)->name, "sim"))
			continue;
		add_words(out, "keys:", nvp_sim_keys());
		add_words(out, "profiles:", nvp_sim_profiles());
	}
}

static void add_overview(struct nvp_text *out)
{
	nvp_text_add(out, "nvproof: proof test for NVMe drives\n\n"
			  "usage: nvproof COMMAND [OPTION...]\n\nCommands\n");
	for (const struct nvp_command *c = nvp_command_table; c->name; c++) {
		char left[48];

		snprintf(left, sizeof(left), "%s %s", c->name, c->operands);
		nvp_text_addf(out, "  %-24s  %s\n", left, c->title);
	}
	add_drives(out);
	nvp_text_add(out, "\nA start: nvproof run sim:        more: nvproof help run\n");
}

static void add_command(struct nvp_text *out, const struct nvp_command *c)
{
	nvp_text_addf(out, "nvproof %s: %s\n\nusage: nvproof %s%s%s [OPTION...]\n", c->name,
		      c->title, c->name, c->operands[0] ? " " : "", c->operands);
	if (c->text)
		nvp_text_addf(out, "\n%s", c->text);
	nvp_text_add(out, "\nOptions\n");
	nvp_options_help(c->bit, out);
	nvp_text_add(out, "\n");
	nvp_options_elsewhere(out);
	if (c->bit & (NVP_OF_RUN | NVP_OF_INFO))
		add_drives(out);
}

int nvp_cmd_help(struct nvp_program *p)
{
	const struct nvp_command *c = NULL;
	struct nvp_text text = { 0 };
	int rc;

	if (p->options.man + p->options.bash + p->nr_operands > 1) {
		nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL,
			    "--man, --bash and a command: one of them at a time");
		return 2;
	}
	if (p->nr_operands) {
		const char *near = nvp_command_nearest(p->operand[0]);

		c = nvp_command_find(p->operand[0]);
		if (!c) {
			nvp_err_set(&p->err, NVP_ERR_USAGE, -EINVAL, "unknown command '%.80s'",
				    p->operand[0]);
			if (near)
				nvp_err_advice(&p->err, "did you mean '%s'?", near);
			return 2;
		}
	}
	if (p->options.man)
		nvp_manual_page(&text);
	else if (p->options.bash)
		nvp_manual_bash(&text);
	else if (c)
		add_command(&text, c);
	else
		add_overview(&text);
	rc = nvp_put_result(p, &text);
	nvp_text_free(&text);
	return rc;
}
