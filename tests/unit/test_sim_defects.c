// SPDX-License-Identifier: GPL-2.0-or-later
// Every defect of the simulated drive shows what its sentence says, and no more.

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/sim/hooks.h"
#include "tests/unit/sim_probe.h"
#include "tests/unit/unit.h"

/*
 * The lines of the scripts that differ, as globs of SCRIPT/LABEL: each glob matches one that
 * does, and each that does is matched. "*" for defects that show wherever commands run.
 */
static const struct { const char *defect, *differs; } expected[] = {
	{ "abort-denied-but-done", "abort/aborted" },
	{ "abort-hits-neighbour", "abort/aborted" },
	{ "abort-loses-command", "abort/aborted" },
	{ "abort-result-inverted", "abort/missing" },
	{ "abort-status-success", "abort/aborted" },
	{ "admin-fuse-accepted", "admin/fuse" },
	{ "admin-opcode-reserved-accepted", "admin/opcode" },
	{ "admin-opcode-wrong-status", "admin/opcode" },
	{ "admin-psdt-accepted", "admin/psdt" },
	{ "aer-limit-off-by-one", "event-limit/limit" },
	{ "aer-limit-unchecked", "event-limit/limit" },
	{ "aer-times-out", "event-limit/20s" },
	{ "aqa-lost-on-reset", "registers/aqa enable/enabled enable/fatal weighted/weighted" },
	{ "arbitration-starves-admin", "served/before-admin" },
	{ "arbitration-urgent-ignored", "weighted/weighted" },
	{ "arbitration-weights-ignored", "weighted/weighted" },
	{ "asq-lost-on-reset", "registers/asq registers/acq enable/enabled enable/fatal "
	  "weighted/weighted" },
	{ "asq-low-bits-kept", "registers/asq-low" },
	{ "cap-mpsmin-above-mpsmax", "registers/mps" },
	{ "cap-mqes-zero", "registers/mqes" },
	{ "cap-reserved-bit-set", "registers/cap-rest" },
	{ "cc-reset-completes-old-commands", "controller-reset/old-completion" },
	{ "cc-reset-keeps-admin-head", "*" },
	{ "cc-reset-keeps-queues",
	  "feature-reset/queues-get reset/data controller-reset/create "
	  "format-runs/stopped protect/free ns-life/after-reset "
	  "sanitize-runs/reset" },
	{ "compare-always-equal",
	  "compare/later compare/first fused/differs fused/differs-write fused/kept "
	  "race/good" },
	{ "compare-first-block-only", "compare/later" },
	{ "compare-ignores-uncorrectable", "uncorrectable/compare" },
	{ "compare-wrong-status", "compare/later compare/first fused/differs" },
	{ "copy-clears-source", "copy/source" },
	{ "copy-destination-off-by-one", "copy/one copy/two copy/four copy/last copy/moved" },
	{ "copy-destination-past-end-accepted", "copy/past" },
	{ "copy-format-unchecked", "copy/format" },
	{ "copy-ignores-uncorrectable", "copy/marked" },
	{ "copy-last-range-missing", "copy/last" },
	{ "copy-limits-zero", "copy-limits/mssrl namespace/rest" },
	{ "copy-mcl-unchecked", "copy/mcl" },
	{ "copy-msrc-unchecked", "copy/msrc" },
	{ "copy-mssrl-unchecked", "copy/mssrl" },
	{ "copy-overlap-corrupts", "copy/moved" },
	{ "copy-overlap-refused", "copy/overlap copy/moved" },
	{ "copy-ranges-one-block-short", "copy/four copy/last copy/moved" },
	{ "copy-result-wrong",
	  "copy/mssrl copy/mcl copy/msrc copy/source-past copy/past copy/marked" },
	{ "copy-source-past-end-accepted", "copy/source-past" },
	{ "copy-wrong-order", "copy/one copy/two copy/four copy/last" },
	{ "cq-full-overwrites", "full/entries" },
	{ "cqe-before-data", "*" },
	{ "cqe-cid-truncated", "entries/cid full/entries" },
	{ "cqe-cid-unknown", "entries/cid" },
	{ "cqe-cids-swapped", "two/bad two/good full/entries" },
	{ "cqe-dnr-on-success", "entries/dnr" },
	{ "cqe-interrupt-lost", "interrupt/fired coalescing/four" },
	{ "cqe-more-without-log",
	  "errors/order errors/count errors/cid errors/status errors/smart-entries" },
	{ "cqe-phase-stuck-after-wrap", "*" },
	{ "cqe-posted-twice", "*" },
	{ "cqe-sqhd-outside-queue", "entries/sqhd" },
	{ "cqe-sqhd-stuck", "entries/sqhd" },
	{ "cqe-sqid-wrong", "entries/sqid shared/sqid served/round-robin weighted/weighted" },
	{ "cqe-status-host-made", "*" },
	{ "cqe-status-type-reserved", "*" },
	{ "create-cq-vector-unchecked", "create/vector" },
	{ "create-queue-duplicate-accepted", "create/duplicate" },
	{ "create-queue-entry-size-unchecked", "create/entry-size" },
	{ "create-queue-id-above-accepted", "create/id-above" },
	{ "create-queue-id-zero-accepted", "create/id-0" },
	{ "create-queue-noncontiguous-accepted", "create/split" },
	{ "create-queue-offset-accepted", "create/offset" },
	{ "create-sq-priority-refused", "last/priority weighted/weighted served/round-robin" },
	{ "full-queue-loses-a-command", "last/filled served/round-robin weighted/weighted" },
	{ "identify-nows-beyond-mdts", "namespace/rest" },
	{ "identify-nows-no-multiple", "namespace/rest" },
	{ "feature-write-atomicity-stuck", "feature/atomicity" },
	{ "feature-events-truncated",
	  "feature/events firmware-now/commit firmware-now/event ns-change/event-0 "
	  "ns-change/event-1 captures/event" },
	{ "sanitize-before-activation-accepted", "firmware/sanitize" },
	{ "last-queue-not-served", "last/last" },
	{ "create-queue-size-unchecked", "create/size-1" },
	{ "create-sq-missing-cq-accepted", "create/missing-cq" },
	{ "csts-cfs-on-enable", "*" },
	{ "csts-rdy-late", "*" },
	{ "csts-rdy-stuck-after-disable",
	  "feature-reset/saved feature-reset/unsaved feature-reset/queues-ffff reset/data "
	  "registers/disabled enable/disabled firmware/* firmware-bad/* selftest/* "
	  "format-layout/back format-layout/protected format-layout/protected-index "
	  "format-layout/protected-size format-layout/again format-layout/effects "
	  "format-runs/stopped format-runs/again protect/* ns-life/after-reset "
	  "ns-life/neighbour sanitize-runs/reset recorded/power persistent/read-reset" },
	{ "csts-rdy-writable", "registers/csts" },
	{ "data-before-buffer", "prp/offset-1 prp/in-front sgl/*" },
	{ "data-overruns-buffer",
	  "log/guard prp/one prp/far prp/offset-1 prp/list prp/list-offset prp/chain sgl/*" },
	{ "data-short", "*" },
	{ "deallocated-read-not-zero",
	  "dsm/range dsm/again format/none format/none-end format/user-data "
	  "format/user-data-end format/crypto format/crypto-end format/marked "
	  "format/all-first format/all-second ns-life/stale "
	  "sanitize/block sanitize/block-end sanitize/crypto sanitize/crypto-end sanitize-runs/reset sanitize-runs/power" },
	{ "deallocated-read-varies",
	  "dsm/again format/none-end format/user-data-end format/crypto-end "
	  "format/all-first "
	  "sanitize/block-end sanitize/crypto-end" },
	{ "delete-cq-with-sq-accepted", "create/delete-busy" },
	{ "delete-missing-queue-accepted", "create/delete-missing" },
	{ "delete-sq-completes-late", "delete-busy/late" },
	{ "deleted-cq-written", "delete-busy/dead" },
	{ "dma-stray-address", "stray-doorbell/stray prp/stray" },
	{ "doorbell-invalid-ignored", "event/kept event/one" },
	{ "doorbell-stray-stops-queue", "stray-doorbell/read" },
	{ "doorbell-write-swallowed", "*" },
	{ "doorbell-wrong-event", "event/kept event/one" },
	{ "dsm-changes-neighbour", "dsm/behind" },
	{ "dsm-hints-deallocate", "dsm/hints" },
	{ "dsm-range-unchecked", "dsm/past" },
	{ "dulbe-ignored", "dsm/dulbe" },
	{ "error-log-cid-wrong", "errors/cid" },
	{ "error-log-count-repeats", "errors/order errors/count" },
	{ "error-log-nsid-wrong", "errors/nsid" },
	{ "error-log-oldest-first", "errors/order errors/count errors/cid errors/status" },
	{ "error-log-status-shifted", "errors/status" },
	{ "event-cleared-by-rae", "event/retained" },
	{ "event-config-ignored", "event/off" },
	{ "event-log-page-wrong",
	  "event/kept event/one firmware-now/event ns-change/event-0 sanitize-runs/event "
	  "captures/event" },
	{ "event-lost-when-none-waits", "event/kept event/one" },
	{ "event-sent-before-log-read", "event/masked event/retained" },
	{ "event-sent-twice", "event/one" },
	{ "feature-arbitration-truncated", "feature/arbitration weighted/weighted" },
	{ "feature-capabilities-wrong", "feature/capabilities" },
	{ "feature-default-overwritten", "feature/default" },
	{ "feature-fid-reserved-accepted", "feature/fid-get feature/fid-set" },
	{ "feature-mandatory-missing",
	  "feature/get feature/default feature/capabilities feature-reset/unsaved" },
	{ "feature-not-saveable-accepted", "feature/sv" },
	{ "feature-not-saveable-wrong-status", "feature/sv" },
	{ "feature-nsid-accepted", "feature/nsid" },
	{ "feature-power-state-unchecked", "feature/ps" },
	{ "feature-queues-differ", "feature-reset/queues-get" },
	{ "feature-queues-ffff-accepted", "feature-reset/queues-ffff feature-reset/queues-get" },
	{ "feature-queues-late-accepted", "feature/queues-late" },
	{ "feature-saved-lost-on-reset", "feature-reset/saved" },
	{ "feature-sel-reserved-accepted", "feature/sel" },
	{ "feature-set-ignored",
	  "feature/get feature/arbitration feature-reset/saved feature-reset/queues-get "
	  "smart/warning dsm/dulbe firmware-now/event firmware-now/commit ocp/mode-get "
	  "ocp/check-get power/* ns-change/event-0 ns-change/event-1 coalescing/one-early "
	  "coalescing/one-late weighted/weighted feature/atomicity feature/events "
	  "recorded/* captures/event" },
	{ "feature-tmpsel-reserved-accepted", "feature/tmpsel-set feature/tmpsel-get" },
	{ "feature-unsaved-survives-reset", "feature-reset/unsaved" },
	{ "feature-vector-unchecked", "feature/vector-set feature/vector-get" },
	{ "feature-vwc-without-cache", "no-cache/vwc-get no-cache/vwc-set" },
	{ "firmware-activated-too-early", "firmware/activate-waits firmware/subsystem-waits "
	  "firmware/sanitize" },
	{ "firmware-activation-event-missing", "firmware-now/event firmware-now/commit" },
	{ "firmware-activation-event-wrong", "firmware-now/event" },
	{ "firmware-activation-refused", "*" },
	{ "firmware-commit-of-nothing-succeeds", "firmware-bad/nothing" },
	{ "firmware-damaged-image-accepted", "firmware-bad/damaged" },
	{ "firmware-download-survives-reset", "firmware-bad/half" },
	{ "firmware-empty-slot-activated", "firmware-bad/empty" },
	{ "firmware-gap-accepted", "firmware-bad/gap firmware-bad/damaged" },
	{ "firmware-garbage-accepted",
	  "firmware-bad/garbage firmware-bad/gap firmware-bad/half" },
	{ "firmware-granularity-unchecked", "firmware-bad/odd" },
	{ "firmware-immediate-activation-refused", "firmware-now/event firmware-now/commit" },
	{ "firmware-needed-reset-not-named", "firmware/subsystem" },
	{ "firmware-never-activated", "firmware/activate-reset firmware/subsystem-*" },
	{ "firmware-next-slot-missing", "firmware/activate-waits firmware/subsystem-waits" },
	{ "firmware-other-product-accepted", "firmware-bad/family" },
	{ "firmware-other-slot-lost",
	  "firmware/stored firmware/stored-reset firmware/activate-* firmware/subsystem-*" },
	{ "firmware-overlap-accepted", "firmware-bad/overlap" },
	{ "firmware-prohibited-accepted", "firmware-bad/prohibited" },
	{ "firmware-read-only-slot-written", "firmware-bad/slot-1" },
	{ "firmware-reserved-action-accepted", "firmware-bad/action" },
	{ "firmware-reset-kind-ignored", "firmware/subsystem-waits firmware/sanitize" },
	{ "firmware-revision-stale", "firmware/activate-reset" },
	{ "firmware-slot-above-accepted", "firmware-bad/above recorded/firmware" },
	{ "firmware-store-activates",
	  "firmware/stored firmware/stored-reset firmware/activate-waits" },
	{ "firmware-wrong-slot-written", "firmware/*" },
	{ "flush-nsid-unchecked", "ranges/flush-above" },
	{ "flush-refused", "ranges/flush served/before-admin" },
	{ "format-broadcast-formats-first-only", "format/all-second" },
	{ "format-clears-other-namespaces", "format/neighbour" },
	{ "format-crypto-erase-ignored", "format/crypto format/crypto-end format/used" },
	{ "format-hits-other-namespace",
	  "format/none format/none-end format/user-data format/user-data-end "
	  "format/crypto format/crypto-end format/used format/neighbour format/marked "
	  "format-layout/4096-index format-layout/4096-size format-layout/reset-index "
	  "format-layout/reset-size format-layout/protected-index format-runs/read "
	  "format-runs/left protect/format" },
	{ "format-invalid-format-wrong-status", "format-limits/lbaf format-limits/pi" },
	{ "format-io-wrong-status", "format-runs/read" },
	{ "format-keeps-data",
	  "format/none format/none-end format/user-data format/user-data-end "
	  "format/crypto format/crypto-end format/used format/marked format/all-first "
	  "format/all-second" },
	{ "format-keeps-uncorrectable", "format/marked" },
	{ "format-last-block-survives",
	  "format/none-end format/user-data-end format/crypto-end format/used" },
	{ "format-lba-format-ignored",
	  "format-layout/4096-index format-layout/4096-size format-layout/reset-index "
	  "format-layout/reset-size format-layout/protected-index" },
	{ "format-lets-io-through", "format-runs/read format-runs/left" },
	{ "format-lost-on-reset", "format-layout/reset-index format-layout/reset-size" },
	{ "format-not-in-effects-log", "log/effects format-layout/effects" },
	{ "format-progress-counts-up", "format-runs/left" },
	{ "format-progress-stuck", "namespace/rest format/progress format-runs/left" },
	{ "format-protection-ignored", "format-layout/protected-index" },
	{ "format-protection-unchecked", "format-limits/pi" },
	{ "format-secure-erase-ignored",
	  "format/user-data format/user-data-end format/crypto format/crypto-end "
	  "format/used" },
	{ "format-secure-erase-unchecked", "format-limits/ses" },
	{ "format-size-not-adjusted", "format-layout/4096-size format-layout/reset-size" },
	{ "format-stopped-by-reset-bricks", "format-runs/stopped format-runs/again" },
	{ "format-unknown-lba-format-accepted", "format-limits/lbaf" },
	{ "format-unknown-namespace-accepted", "format-limits/nsid format-limits/zero" },
	{ "format-utilization-full", "format/used" },
	{ "fused-first-alone-accepted", "fused/first-alone" },
	{ "fused-not-atomic", "race/good" },
	{ "fused-opcodes-unchecked", "fused/opcodes fused/opcodes-write" },
	{ "fused-range-unchecked", "fused/ranges fused/ranges-write" },
	{ "fused-second-alone-accepted", "fused/second-alone" },
	{ "fused-second-wrong-status", "fused/differs-write" },
	{ "fused-write-lost", "fused/data fused/kept race/good" },
	{ "fused-writes-after-miscompare", "fused/differs-write fused/kept race/good" },
	{ "identify-arbitration-burst-drifts", "controller/rest" },
	{ "identify-boundary-drifts", "namespace/rest" },
	{ "identify-broadcast-accepted", "namespace/all" },
	{ "identify-cns-reserved-accepted", "namespace/cns" },
	{ "identify-csi-unchecked", "namespace/csi" },
	{ "identify-descriptor-length-wrong", "namespace/descriptors" },
	{ "length-lies", "namespace/descriptors" },
	{ "identify-dsm-limits-mixed", "namespace/limits" },
	{ "identify-flbas-beyond-nlbaf",
	  "namespace/flbas format-layout/4096-index format-layout/reset-index "
	  "format-layout/protected-index" },
	{ "identify-inactive-not-zero", "namespace/inactive" },
	{ "identify-lbads-below-nine", "namespace/lbaf" },
	{ "identify-list-ignores-start", "lists/from-1" },
	{ "identify-list-tail-not-zero", "lists/behind ns-life/active-new ns-life/active" },
	{ "identify-list-top-nsid-accepted", "lists/top" },
	{ "identify-list-unsorted", "lists/from-0 lists/from-1 "
	  "ns-life/active-new ns-life/active" },
	{ "identify-ncap-above-nsze", "namespace/ncap" },
	{ "identify-no-unique-id", "namespace/rest namespace/descriptors ns-life/same-id" },
	{ "identify-nsid-unchecked", "namespace/above-nn" },
	{ "identify-nsid-wrong-status", "namespace/above-nn" },
	{ "identify-nuse-above-ncap", "namespace/nuse format/used" },
	{ "identify-serial-not-padded", "controller/names persistent/identity" },
	{ "identify-short", "controller/tail namespace/tail ocp/uuid" },
	{ "identify-sqes-wrong", "controller/sqes" },
	{ "identify-subnqn-wrong", "controller/subnqn persistent/identity" },
	{ "identify-vendor-bytes-drift", "controller/rest" },
	{ "identify-version-differs", "controller/ver" },
	{ "io-command-lost", "*" },
	{ "io-fuse-accepted", "ranges/fuse controller/rest fused/*" },
	{ "io-opcode-reserved-accepted", "admin/io-opcode ranges/opcode" },
	{ "io-opcode-wrong-status", "admin/io-opcode ranges/opcode" },
	{ "lba-range-off-by-one",
	  "ranges/end ranges/across uncorrectable/past uncorrectable/verify-past" },
	{ "lba-range-wraps", "ranges/wrap" },
	{ "lba-range-wrong-status",
	  "ranges/end ranges/across ranges/wrap ranges/far ranges/upper two/bad "
	  "uncorrectable/past uncorrectable/verify-past" },
	{ "log-effects-incomplete", "log/effects log/effects-part" },
	{ "log-feature-effects-incomplete", "log/features" },
	{ "log-firmware-revision-differs",
	  "log/firmware firmware/shipped firmware/stored firmware/stored-reset "
	  "firmware/activate-waits firmware/activate-reset firmware/subsystem-waits "
	  "firmware/subsystem-done log/longer" },
	{ "log-firmware-revision-differs", "log/firmware firmware/*" },
	{ "log-lpo-beyond-end-accepted", "log/beyond" },
	{ "log-lpo-ignored",
	  "log/effects-part log/offset telemetry/none telemetry/data" },
	{ "log-lpo-unaligned-accepted", "log/unaligned" },
	{ "log-nsid-unchecked", "log/nsid" },
	{ "log-numd-beyond-empty", "log/longer persistent/* recorded/*" },
	{ "log-numd-beyond-refused", "log/longer persistent/* recorded/*" },
	{ "log-numd-ignored", "log/guard" },
	{ "log-reserved-accepted", "log/reserved" },
	{ "log-supported-incomplete", "log/supported log/offset" },
	{ "mdts-unchecked", "admin/mdts ranges/mdts" },
	{ "namespaces-share-blocks", "namespaces/first format/neighbour ns-life/stale" },
	{ "ns-allocated-list-incomplete", "ns-life/allocated" },
	{ "ns-attach-twice-accepted", "ns-life/attach-twice" },
	{ "ns-attached-when-created",
	  "ns-life/active-new ns-life/attach* ns-shared/private ns-shared/both ns-shared/other "
	  "ns-change/event-0 ns-change/event-1 ns-change/log" },
	{ "ns-attachment-ignored",
	  "ns-life/* ns-shared/both ns-shared/other ns-change/event-0 ns-change/event-1 "
	  "ns-change/log" },
	{ "ns-capacity-kept", "ns-life/given-back" },
	{ "ns-capacity-unchecked", "ns-refused/large" },
	{ "ns-change-event-missing", "ns-change/event-*" },
	{ "ns-change-log-empty", "ns-change/log" },
	{ "ns-change-log-kept", "ns-change/again" },
	{ "ns-controller-here-alone", "ns-shared/both ns-shared/other" },
	{ "ns-controller-list-ignores-start", "ns-shared/list-from" },
	{ "ns-controller-list-unchecked", "ns-refused/controllers" },
	{ "ns-controller-lists-empty",
	  "ns-shared/list ns-shared/list-from ns-shared/both ns-shared/other" },
	{ "ns-create-result-zero", "ns-life/create" },
	{ "ns-delete-hits-neighbour",
	  "ns-life/given-back ns-life/delete-twice ns-life/stale ns-life/after-reset" },
	{ "ns-delete-keeps",
	  "ns-life/delete-twice ns-life/given-back ns-life/unallocated ns-life/same-id" },
	{ "ns-delete-missing-accepted", "ns-life/delete-twice" },
	{ "ns-detach-takes-all", "ns-shared/other" },
	{ "ns-detach-twice-accepted", "ns-life/detach-twice" },
	{ "ns-detached-readable",
	  "ns-life/detached ns-life/detach-twice ns-shared/other" },
	{ "ns-format-unchecked", "ns-refused/format" },
	{ "ns-identifier-used-again", "ns-life/same-id" },
	{ "ns-nsid-unavailable-wrong-status", "ns-refused/nsid" },
	{ "ns-private-shared", "ns-shared/private" },
	{ "ns-reset-detaches", "ns-life/after-reset" },
	{ "ns-select-reserved-accepted", "ns-refused/select" },
	{ "ns-size-one-less", "ns-life/nsze ns-life/neighbour" },
	{ "ns-size-zero-accepted", "ns-refused/zero" },
	{ "ns-stale-data", "ns-life/stale" },
	{ "ns-thin-accepted", "ns-refused/thin" },
	{ "ns-unallocated-not-zero", "ns-life/unallocated" },
	{ "nsid-above-nn-accepted", "ranges/nsid-above" },
	{ "nsid-zero-accepted", "ranges/nsid-0" },
	{ "nssr-any-value-resets", "subsystem/other" },
	{ "nssr-ignored", "subsystem/ready subsystem/noted subsystem/fatal" },
	{ "nssr-not-noted", "subsystem/noted" },
	{ "nssro-not-cleared", "subsystem/cleared subsystem/fatal" },
	{ "ocp-aerl-too-small", "controller/rest ocp/aerl" },
	{ "ocp-capacitor-missing", "ocp/capacitor" },
	{ "ocp-feature-set-ignored", "ocp/mode-get ocp/mode-zero ocp/check-get" },
	{ "ocp-guid-wrong", "ocp/recovery-guid" },
	{ "ocp-media-written-goes-down", "ocp/smart" },
	{ "ocp-plp-mode-reserved-accepted", "ocp/mode-zero" },
	{ "ocp-plp-starts-stuck", "ocp/starts" },
	{ "ocp-reserved-not-zero", "ocp/reserved" },
	{ "ocp-uuid-missing", "ocp/uuid" },
	{ "ocp-version-zero", "ocp/version ocp/recovery-version" },
	{ "oncs-claims-missing-command", "log/effects log/effects-part uncorrectable/verify*" },
	{ "apst-enable-not-shown", "power/enabled" },
	{ "apst-never-happens", "power/idle" },
	{ "apst-table-lost", "power/table" },
	{ "apst-target-unchecked", "power/target" },
	{ "power-idle-state-fails-io", "power/read power/woken" },
	{ "power-idle-state-kept", "power/woken" },
	{ "power-order-wrong", "power/watts controller/rest" },
	{ "power-rank-too-large", "power/rank controller/rest" },
	{ "protect-ends-with-reset", "protect/reset" },
	{ "protect-ignored", "protect/write protect/zeroes protect/deallocate" },
	{ "protect-misses-deallocate", "protect/deallocate" },
	{ "protect-misses-write-zeroes", "protect/zeroes" },
	{ "protect-not-shown", "protect/shown" },
	{ "protect-other-namespace", "protect/other" },
	{ "protect-refuses-reads", "protect/read" },
	{ "protect-wrong-status", "protect/write protect/zeroes protect/deallocate" },
	{ "thermal-order-unchecked", "power/order" },
	{ "thermal-range-unchecked", "power/range" },
	{ "persistent-bitmap-wrong", "persistent/supported" },
	{ "persistent-context-existed-wrong", "persistent/rce" },
	{ "persistent-context-not-frozen", "persistent/frozen" },
	{ "persistent-context-not-kept", "persistent/*" },
	{ "persistent-context-not-released", "persistent/read-late recorded/*" },
	{ "persistent-context-survives-reset", "persistent/read-reset" },
	{ "persistent-count-wrong", "persistent/establish persistent/frozen" },
	{ "persistent-event-cut-short", "recorded/* persistent/establish persistent/frozen" },
	{ "persistent-feature-without-value", "recorded/feature" },
	{ "persistent-format-status-wrong", "recorded/format" },
	{ "persistent-reset-firmware-wrong", "recorded/*" },
	{ "persistent-sanitize-status-wrong", "recorded/sanitize" },
	{ "persistent-event-missing", "recorded/* persistent/establish persistent/frozen" },
	{ "persistent-event-past-end", "recorded/*" },
	{ "persistent-event-twice", "persistent/establish persistent/frozen recorded/*" },
	{ "persistent-events-lost-by-power-cycle", "recorded/power" },
	{ "persistent-events-lost-by-reset", "recorded/reset" },
	{ "persistent-feature-wrong", "recorded/feature" },
	{ "persistent-firmware-status-wrong", "recorded/firmware" },
	{ "persistent-format-wrong", "recorded/format" },
	{ "persistent-generation-stuck", "recorded/*" },
	{ "persistent-header-length-zero", "persistent/header recorded/*" },
	{ "persistent-identity-wrong", "persistent/identity" },
	{ "persistent-length-wrong", "persistent/establish persistent/frozen recorded/*" },
	{ "persistent-namespace-wrong", "recorded/namespace" },
	{ "persistent-oldest-first", "recorded/*" },
	{ "persistent-read-without-context-accepted",
	  "persistent/read-early persistent/read-late persistent/read-reset" },
	{ "persistent-release-refused",
	  "persistent/release persistent/release-early persistent/read-late recorded/*" },
	{ "persistent-sanitize-wrong", "recorded/sanitize" },
	{ "persistent-second-context-accepted", "persistent/second" },
	{ "persistent-size-zero", "persistent/pels controller/rest" },
	{ "persistent-snapshots-missing", "persistent/establish persistent/frozen recorded/*" },
	{ "persistent-timestamp-wrong", "recorded/timestamp" },
	{ "telemetry-available-lost", "captures/power" },
	{ "telemetry-available-never", "captures/*" },
	{ "telemetry-capture-empty", "captures/*" },
	{ "telemetry-capture-lost", "captures/power" },
	{ "telemetry-available-stuck", "captures/*" },
	{ "telemetry-controller-generation-stuck", "captures/*" },
	{ "telemetry-headers-differ", "captures/host" },
	{ "telemetry-notice-missing", "captures/event" },
	{ "telemetry-notice-wrong", "captures/event" },
	{ "telemetry-rae-ignored", "captures/*" },
	{ "telemetry-unread-replaced", "captures/*" },
	{ "telemetry-areas-going-down", "telemetry/first" },
	{ "telemetry-changes-when-read", "telemetry/data" },
	{ "telemetry-generation-stuck", "telemetry/generation telemetry/data telemetry/next" },
	{ "telemetry-header-wrong", "telemetry/first telemetry/controller" },
	{ "telemetry-offset-unaligned-accepted", "telemetry/unaligned" },
	{ "timestamp-goes-back", "time/10s time/reset recorded/timestamp recorded/reset" },
	{ "timestamp-origin-wrong", "time/set time/10s time/reset recorded/reset" },
	{ "timestamp-restarts-silently", "time/reset recorded/reset" },
	{ "timestamp-set-ignored", "time/set time/10s time/reset recorded/*" },
	{ "timestamp-stands-still", "time/10s time/reset recorded/timestamp recorded/reset" },
	{ "csts-cfs-stuck", "subsystem/usable" },
	{ "protect-misses-format", "protect/format" },
	{ "sanitize-action-unchecked", "sanitize/reserved" },
	{ "sanitize-crypto-keeps-data", "sanitize/crypto sanitize/crypto-end" },
	{ "sanitize-ended-by-reset", "sanitize-runs/reset" },
	{ "sanitize-erased-bit-missing",
	  "sanitize/block-log sanitize/overwrite-log sanitize/crypto-log recorded/sanitize" },
	{ "sanitize-erased-bit-stuck", "sanitize/written" },
	{ "sanitize-event-missing", "sanitize-runs/event" },
	{ "sanitize-event-wrong", "sanitize-runs/event" },
	{ "sanitize-exit-refused", "sanitize/exit" },
	{ "sanitize-io-wrong-status", "sanitize-runs/read sanitize-runs/second" },
	{ "sanitize-keeps-cache", "sanitize/block sanitize/overwrite sanitize/crypto" },
	{ "sanitize-keeps-data",
	  "sanitize/overwrite sanitize/block-end sanitize/overwrite-end "
	  "sanitize/crypto-end sanitize-runs/reset sanitize-runs/power" },
	{ "sanitize-last-block-survives",
	  "sanitize/block-end sanitize/overwrite-end sanitize/crypto-end "
	  "sanitize-runs/reset sanitize-runs/power" },
	{ "sanitize-lets-io-through", "sanitize-runs/read" },
	{ "sanitize-log-command-wrong", "sanitize/command" },
	{ "sanitize-never-succeeds",
	  "sanitize/block sanitize/overwrite sanitize/crypto sanitize/block-end "
	  "sanitize/overwrite-end sanitize/crypto-end sanitize/block-log "
	  "sanitize/overwrite-log sanitize/crypto-log sanitize-runs/reset "
	  "sanitize-runs/power sanitize-runs/status recorded/sanitize" },
	{ "sanitize-no-deallocate-status", "sanitize/overwrite-log" },
	{ "sanitize-not-in-effects-log", "log/effects sanitize/effects" },
	{ "sanitize-overwrite-pattern-wrong", "sanitize/overwrite sanitize/overwrite-end" },
	{ "sanitize-progress-counts-down", "sanitize-runs/progress" },
	{ "sanitize-progress-not-idle",
	  "sanitize/block-log sanitize/overwrite-log sanitize/crypto-log recorded/sanitize" },
	{ "sanitize-refuses-identify", "sanitize-runs/identify" },
	{ "sanitize-second-accepted", "sanitize-runs/second" },
	{ "sanitize-status-missing",
	  "sanitize/block-log sanitize/overwrite-log sanitize/crypto-log "
	  "sanitize-runs/status recorded/sanitize" },
	{ "selftest-survives-format", "selftest/format" },
	{ "prp-list-not-chained", "prp/chain" },
	{ "prp-list-offset-ignored", "prp/list-offset prp/chain" },
	{ "prp-low-bits-used", "prp/low-bits" },
	{ "transfer-error-succeeds", "prp/unmapped" },
	{ "transfer-error-wrong-status", "prp/unmapped" },
	{ "prp-offset-accepted", "prp/offset-2 prp/bad-entry" },
	{ "prp1-offset-ignored", "prp/offset-1" },
	{ "prp2-ignored", "prp/far prp/offset-1 prp/offset-2" },
	{ "compare-ignores-metadata", "protection-commands/compare" },
	{ "metadata-before-extended-data", "*" },
	{ "metadata-of-last-block-lost",
	  "protection/read protection/inserted protection/strip protection/pointer "
	  "protection-commands/equal protection-commands/copied" },
	{ "metadata-of-next-block",
	  "protection/read protection/inserted protection/strip protection/pointer "
	  "protection-commands/copied" },
	{ "metadata-pointer-offset-ignored", "protection/pointer" },
	{ "metadata-sgl-length-unchecked", "protection/sgl-short" },
	{ "metadata-way-not-offered", "namespace/rest protection/settings" },
	{ "protection-always-checked",
	  "protection-wrong/guard protection-wrong/application protection-wrong/reference "
	  "protection-wrong/reference-high protection-commands/compare "
	  "protection-commands/copied protection-commands/verify-guard "
	  "protection-commands/copy-guard" },
	{ "protection-application-tag-unchecked", "protection-wrong/application" },
	{ "protection-at-wrong-end", "protection*/*" },
	{ "protection-copy-keeps-tags", "protection-commands/copied" },
	{ "protection-copy-unchecked", "protection-commands/copy-guard" },
	{ "protection-escape-ignored", "protection-wrong/escape" },
	{ "protection-escape-type-3", "protection-wrong/escape" },
	{ "protection-first-block-only",
	  "protection-wrong/guard-write protection-wrong/guard protection-wrong/application "
	  "protection-wrong/reference protection-wrong/reference-high "
	  "protection-commands/verify-guard protection-commands/copy-guard" },
	{ "protection-guard-of-data-only", "protection*/*" },
	{ "protection-guard-unchecked",
	  "protection-wrong/guard-write protection-wrong/guard "
	  "protection-commands/verify-guard protection-commands/copy-guard" },
	{ "protection-mask-ignored", "protection-wrong/mask" },
	{ "protection-missing-of-zeroes", "protection-commands/zeroed" },
	{ "protection-not-inserted", "protection/inserted protection/strip protection/pointer" },
	{ "protection-not-stripped", "protection/strip" },
	{ "protection-not-stripped-extended", "protection/strip" },
	{ "protection-of-deallocated-zero", "protection-commands/deallocated" },
	{ "protection-read-unchecked",
	  "protection-wrong/guard protection-wrong/application protection-wrong/reference "
	  "protection-wrong/reference-high" },
	{ "protection-reference-tag-16-bits", "protection-wrong/reference-high" },
	{ "protection-reference-tag-64-bits", "protection-wrong/reference-passes-zero" },
	{ "protection-reference-tag-stuck", "protection*/*" },
	{ "protection-reference-tag-unchecked",
	  "protection-wrong/reference protection-wrong/reference-high" },
	{ "protection-type-1-tag-unchecked", "protection-wrong/initial" },
	{ "protection-type-3-tag-accepted", "protection-wrong/initial" },
	{ "protection-type-not-offered",
	  "namespace/rest protection/settings format-layout/4096-index "
	  "format-layout/reset-index" },
	{ "protection-type-reserved",
	  "namespace/rest protection/settings format-layout/4096-index "
	  "format-layout/reset-index format-layout/protected-index" },
	{ "protection-verify-always-checked", "protection-commands/verify-off" },
	{ "protection-verify-unchecked", "protection-commands/verify-guard" },
	{ "protection-write-unchecked", "protection-wrong/guard-write" },
	{ "protection-wrong-status",
	  "protection-wrong/guard-write protection-wrong/guard "
	  "protection-commands/verify-guard protection-commands/copy-guard" },
	{ "arbitration-starves-queues", "order/low-is-through-first served/round-robin" },
	{ "coalescing-disable-ignored", "coalescing/exempt" },
	{ "coalescing-ignored", "coalescing/one-early coalescing/one-late" },
	{ "coalescing-never-ends", "coalescing/one-late" },
	{ "coalescing-of-admin-queue", "coalescing/admin" },
	{ "coalescing-threshold-ignored", "coalescing/four" },
	{ "interrupt-although-disabled", "vectors/none" },
	{ "interrupt-lost-while-masked", "mask/unmasked" },
	{ "interrupt-mask-ignored", "mask/masked mask/pending mask/unmasked" },
	{ "interrupt-on-two-vectors", "*" },
	{ "interrupt-only-when-queue-was-empty", "vectors/more coalescing/four interrupt/fired" },
	{ "interrupt-pending-bit-missing", "mask/pending" },
	{ "interrupt-pending-bit-stays", "mask/sent" },
	{ "interrupt-pending-sent-twice", "mask/again" },
	{ "interrupt-shared-vector-lost", "vectors/shared" },
	{ "interrupt-wrong-vector", "*" },
	{ "psdt-reserved-accepted", "sgl-refused/psdt" },
	{ "read-bit-flipped", "*" },
	{ "read-misses-cache", "*" },
	{ "read-mixed-at-depth", "depth/together-data" },
	{ "read-upper-lba-ignored", "ranges/upper" },
	{ "reset-drops-cache", "reset/data" },
	{ "selftest-abort-ignored",
	  "selftest/extended-stopped selftest/short-reset selftest/format" },
	{ "selftest-current-wrong", "selftest/extended selftest/extended-reset" },
	{ "selftest-extended-ends-with-reset",
	  "selftest/extended-reset selftest/extended-stopped selftest/short-reset" },
	{ "selftest-hours-ahead",
	  "selftest/short-70s selftest/extended* selftest/short-reset selftest/format" },
	{ "selftest-idle-abort-logged",
	  "selftest/idle selftest/short-70s selftest/extended selftest/extended-reset "
	  "selftest/short-reset selftest/format" },
	{ "selftest-never-ends",
	  "selftest/short-70s selftest/extended selftest/extended-reset "
	  "selftest/extended-stopped selftest/short-reset" },
	{ "selftest-nsid-unchecked",
	  "selftest/nsid selftest/idle selftest/short-70s selftest/extended "
	  "selftest/extended-reset" },
	{ "selftest-oldest-first",
	  "selftest/extended-stopped selftest/short-reset selftest/format" },
	{ "selftest-progress-falls", "selftest/short-20s" },
	{ "selftest-reserved-code-accepted", "selftest/code" },
	{ "selftest-result-always-good",
	  "selftest/extended-stopped selftest/short-reset selftest/format" },
	{ "selftest-result-missing",
	  "selftest/short-70s selftest/extended selftest/extended-reset "
	  "selftest/extended-stopped selftest/short-reset selftest/format" },
	{ "selftest-result-nsid-wrong",
	  "selftest/short-70s selftest/extended selftest/extended-reset "
	  "selftest/extended-stopped selftest/short-reset selftest/format" },
	{ "selftest-second-accepted",
	  "selftest/second selftest/extended selftest/extended-reset "
	  "selftest/extended-stopped selftest/short-reset" },
	{ "selftest-short-survives-reset", "selftest/short-reset selftest/format" },
	{ "selftest-unused-results-good",
	  "selftest/never selftest/idle selftest/short-70s selftest/extended "
	  "selftest/extended-reset" },
	{ "sgl-address-bits-dropped", "sgl/odd" },
	{ "sgl-bit-bucket-counts-in-write", "sgl/bucket-write" },
	{ "sgl-bit-bucket-shifts-data", "sgl/bucket" },
	{ "sgl-chain-lost", "sgl/chain" },
	{ "sgl-empty-descriptor-ends-list", "sgl/empty" },
	{ "sgl-last-segment-unchecked", "sgl-refused/last" },
	{ "sgl-length-wrong-status", "sgl-refused/short sgl-refused/long" },
	{ "sgl-long-accepted", "sgl-refused/long" },
	{ "sgl-many-descriptors-lost", "sgl/many" },
	{ "sgl-segment-length-unchecked", "sgl-refused/no-length sgl-refused/odd-length" },
	{ "sgl-segment-place-unchecked", "sgl-refused/place" },
	{ "sgl-short-accepted", "sgl-refused/short" },
	{ "sgl-subtype-unchecked", "sgl-refused/subtype" },
	{ "sgl-type-unchecked", "sgl-refused/type" },
	{ "sgl-unsupported-accepted", "controller/rest" },
	{ "shared-cq-sqid-wrong", "shared/sqid served/round-robin weighted/weighted" },
	{ "shutdown-never-completes", "shutdown/shst" },
	{ "shutdown-not-reported", "shutdown/shst" },
	{ "size-limits-refused", "uncorrectable/verify-large" },
	{ "smart-counter-goes-down", "smart/units-read" },
	{ "smart-data-units-in-sectors", "smart/units-read smart/units-written" },
	{ "smart-error-entries-stuck", "errors/smart-entries" },
	{ "smart-host-writes-stuck", "smart/writes" },
	{ "smart-temperature-minutes-fall", "smart/minutes" },
	{ "smart-temperature-warning-missing", "smart/warning" },
	{ "sq-last-slot-skipped", "*" },
	{ "uncorrectable-marks-neighbour", "uncorrectable/behind" },
	{ "uncorrectable-missed-in-large-read", "uncorrectable/large" },
	{ "uncorrectable-not-cured", "uncorrectable/cured" },
	{ "uncorrectable-one-block-short", "uncorrectable/last copy/marked" },
	{ "uncorrectable-past-end-accepted", "uncorrectable/past" },
	{ "uncorrectable-reads-fine",
	  "uncorrectable/first uncorrectable/last uncorrectable/large uncorrectable/compare "
	  "uncorrectable/verify copy/marked captures/*" },
	{ "uncorrectable-wrong-status",
	  "uncorrectable/first uncorrectable/last uncorrectable/large "
	  "uncorrectable/compare uncorrectable/verify copy/marked captures/*" },
	{ "uuid-index-unchecked", "ocp/uuid-index" },
	{ "verify-changes-data", "uncorrectable/verified" },
	{ "verify-ignores-uncorrectable", "uncorrectable/verify" },
	{ "verify-limit-unchecked", "controller/oncs" },
	{ "verify-past-end-accepted", "uncorrectable/verify-past" },
	{ "version-register-wrong", "registers/vs" },
	{ "vs-writable", "registers/vs-written" },
	{ "write-changes-next-block", "data/behind" },
	{ "write-last-block-missing", "*" },
	{ "write-lost", "data/newest copy/moved" },
	{ "write-misdirected", "data/newest data/behind copy/moved" },
	{ "write-zeroes-keeps-data", "zeroes/range zeroes/last uncorrectable/zeroed" },
	{ "write-zeroes-one-block-short", "zeroes/last uncorrectable/zeroed" },
	{ "write-zeroes-skips-marked", "uncorrectable/zeroed" },
};

static const struct sim_probe *const sets[] = {
	sim_probes_admin, sim_probes_io, sim_probes_queue, sim_probes_optional,
	sim_probes_transfer, sim_probes_protection, sim_probes_interrupt,
	sim_probes_manage,
	sim_probes_ocp,
	sim_probes_persistent,
	sim_probes_erase,
	sim_probes_namespace,
};

#define MAX_PROBES 128
#define MAX_SHAPES 32

/* What a script of a drive with this key besides (NULL: none) writes; to be freed. */
static char *transcript(const struct sim_probe *probe, const char *key, const char *value)
{
	struct sim_host h = { .quiet = true };
	struct nvp_text out = { 0 };
	char address[128], *copy;

	snprintf(address, sizeof(address), "%s", probe->address);
	if (key)
		snprintf(address, sizeof(address), "%s,%s%s", probe->address, key, value);
	if (sim_host_open(&h, address))
		probe->run(&h, &out);
	sim_host_close(&h);
	copy = strdup(nvp_text_str(&out));
	nvp_text_free(&out);
	return copy;
}

static bool matches_one(const char *globs, const char *label)
{
	char copy[512], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", globs);
	for (char *glob = strtok_r(copy, " ", &save); glob; glob = strtok_r(NULL, " ", &save))
		if (!fnmatch(glob, label, 0))
			return true;
	return false;
}

/* " SCRIPT/LABEL" of each line of good that bad has not at its place, to labels. */
static void add_differences(struct nvp_text *labels, const char *script, const char *good,
			    const char *bad)
{
	while (*good) {
		size_t n = strcspn(good, "\n") + 1, m = strcspn(bad, "\n");

		m += bad[m] == '\n';
		if (n != m || memcmp(good, bad, n))
			nvp_text_addf(labels, " %s/%.*s", script, (int)strcspn(good, ":"), good);
		good += n;
		bad += m;
	}
}

/* The healthy drive that a defect is compared with, where it asks for a shape of its own. */
static char *shaped(const struct sim_probe *probe, const char *shape)
{
	char key[16];

	snprintf(key, sizeof(key), ",%.*s", (int)strcspn(shape, "="), shape);
	return transcript(probe, strstr(probe->address, key) || strstr(probe->address, key + 1) ?
				 NULL : shape, "");
}

/* Formats with metadata are those of one profile. */
static bool can_have(const struct sim_probe *probe, const char *shape)
{
	return !shape || !strstr(probe->address, "profile=") ||
	       (!strstr(shape, "meta=") && !strstr(shape, "pi="));
}

/* What healthy drives of each shape that was asked for say; made when it is asked for first. */
struct shapes {
	struct {
		const char *shape;
		char *good[MAX_PROBES];
	} row[MAX_SHAPES];
	unsigned nr;
};

static char *const *healthy_shape(struct shapes *s, const char *shape,
				  const struct sim_probe *const *probes, unsigned nr)
{
	for (unsigned i = 0; i < s->nr; i++)
		if (!strcmp(s->row[i].shape, shape))
			return s->row[i].good;
	CU_ASSERT_FATAL(s->nr < MAX_SHAPES);
	s->row[s->nr].shape = shape;
	for (unsigned i = 0; i < nr; i++)
		if (can_have(probes[i], shape))
			s->row[s->nr].good[i] = shaped(probes[i], shape);
	return s->row[s->nr++].good;
}

static bool names_script(const char *globs, const char *script)
{
	char copy[512], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", globs);
	for (char *glob = strtok_r(copy, " ", &save); glob; glob = strtok_r(NULL, " ", &save)) {
		glob[strcspn(glob, "/")] = '\0';
		if (!fnmatch(glob, script, 0))
			return true;
	}
	return false;
}

/*
 * A defect runs in the scripts that show it, and in each fourth of the others, which are to stay as
 * they are; in all of them with NVP_PROBES=all.
 */
static bool is_run(const struct nvp_sim_defect *d, const char *globs, const char *script, unsigned i)
{
	const char *probes = getenv("NVP_PROBES");
	unsigned stride = probes && !strcmp(probes, "all") ? 1 : 4;

	return names_script(globs, script) || (i + (size_t)(d - nvp_sim_defects())) % stride == 0;
}

static void check_defect(const struct nvp_sim_defect *d, const char *globs,
			 const struct sim_probe *const *probes, char *const *healthy, unsigned nr)
{
	struct nvp_text labels = { 0 };
	char *save = NULL, *seen, copy[512];
	const char *defect = d->name;

	for (unsigned i = 0; i < nr; i++) {
		char *bad;

		if (!can_have(probes[i], d->shape) || !is_run(d, globs, probes[i]->name, i))
			continue;
		bad = transcript(probes[i], "defect=", defect);

		add_differences(&labels, probes[i]->name, healthy[i], bad);
		free(bad);
	}
	seen = strdup(nvp_text_str(&labels));
	for (char *label = strtok_r(seen, " ", &save); label; label = strtok_r(NULL, " ", &save)) {
		if (!matches_one(globs, label)) {
			printf("\n    %s changes %s\n", defect, label);
			CU_FAIL("a defect changes what its sentence does not say");
		}
	}
	free(seen);
	snprintf(copy, sizeof(copy), "%s", globs);
	for (char *glob = strtok_r(copy, " ", &save); glob; glob = strtok_r(NULL, " ", &save)) {
		char inside[128];

		snprintf(inside, sizeof(inside), "* %s *", glob);
		nvp_text_add(&labels, " ");
		if (fnmatch(inside, nvp_text_str(&labels), 0)) {
			printf("\n    %s does not change %s\n", defect, glob);
			CU_FAIL("a defect does not show");
		}
	}
	nvp_text_free(&labels);
}

static const char *lines_of(const char *defect)
{
	for (size_t i = 0; i < NVP_ARRAY_SIZE(expected); i++)
		if (!strcmp(expected[i].defect, defect))
			return expected[i].differs;
	for (const struct sim_probe_expected *e = sim_expected_power; e->defect; e++)
		if (!strcmp(e->defect, defect))
			return e->differs;
	return NULL;
}

/* Defects of power show in the scripts of power, the others in the others. */
static void show(const struct sim_probe *const *lists, size_t nr_lists, bool power)
{
	const struct sim_probe *probes[MAX_PROBES];
	char *healthy[MAX_PROBES];
	struct shapes shapes = { .nr = 0 };
	unsigned nr = 0;

	for (size_t s = 0; s < nr_lists; s++)
		for (const struct sim_probe *p = lists[s]; p->name && nr < MAX_PROBES; p++)
			probes[nr++] = p;
	for (unsigned i = 0; i < nr; i++)
		healthy[i] = transcript(probes[i], NULL, NULL);
	for (const struct nvp_sim_defect *d = nvp_sim_defects(); d->name; d++) {
		const char *globs = lines_of(d->name);

		if (power != !strcmp(d->area, "powerloss"))
			continue;
		if (globs) {
			check_defect(d, globs, probes, d->shape ?
				     healthy_shape(&shapes, d->shape, probes, nr) : healthy, nr);
		} else {
			printf("\n    %s\n", d->name);
			CU_FAIL("no script shows this defect");
		}
	}
	for (unsigned i = 0; i < nr; i++) {
		free(healthy[i]);
		for (unsigned s = 0; s < shapes.nr; s++)
			free(shapes.row[s].good[i]);
	}
}

static void each_shows_what_it_says(void)
{
	show(sets, NVP_ARRAY_SIZE(sets), false);
}

static void each_of_power_shows_what_it_says(void)
{
	static const struct sim_probe *const power[] = { sim_probes_power };

	show(power, 1, true);
}

/* The same drive says the same twice. */
static void scripts_repeat(void)
{
	for (size_t s = 0; s < NVP_ARRAY_SIZE(sets); s++) {
		for (const struct sim_probe *p = sets[s]; p->name; p++) {
			char *once = transcript(p, NULL, NULL), *twice = transcript(p, NULL, NULL);

			CU_ASSERT_STRING_EQUAL(once, twice);
			CU_ASSERT_NOT_EQUAL(once[0], 0);
			free(once);
			free(twice);
		}
	}
}

static void catalogue(void)
{
	static const char *const areas[] = {
		"register", "queue", "doorbell", "admin", "identify", "feature", "log", "event",
		"abort", "io", "dptr", "protection", "interrupt", "arbitration",
		"firmware", "selftest", "powerstate",
		"telemetry", "powerloss", "format", "sanitize", "namespace",
	};
	const struct nvp_sim_defect *defects = nvp_sim_defects();

	for (const struct nvp_sim_defect *d = defects; d->name; d++) {
		bool known = false;

		for (size_t i = 0; i < NVP_ARRAY_SIZE(areas); i++)
			known |= !strcmp(areas[i], d->area);
		CU_ASSERT_TRUE(known);
		CU_ASSERT(d == defects || strcmp(d[-1].name, d->name) < 0);
		CU_ASSERT_EQUAL(strspn(d->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				strlen(d->name));
		CU_ASSERT(strlen(d->sentence) > 20 && strstr(d->section, "NV"));
	}
}

static int add(struct nvp_defect_set *set, const char *text, char *line, size_t bytes)
{
	struct nvp_err err = { 0 };
	int rc = nvp_defect_add(set, text, &err);

	nvp_err_text(&err, line, bytes);
	return rc;
}

static void parsing(void)
{
	struct nvp_defect_set set = { 0 };
	char line[512];

	CU_ASSERT_EQUAL(add(&set, "compare-always-equal", line, sizeof(line)), 0);
	CU_ASSERT_EQUAL(add(&set, "cqe-posted-twice:nth=3", line, sizeof(line)), 0);
	CU_ASSERT_EQUAL(set.nr, 2);
	CU_ASSERT_EQUAL(set.active[1].value[0], 3);
	CU_ASSERT_NOT_EQUAL(add(&set, "compare-always-eqaul", line, sizeof(line)), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(line, "'compare-always-equal'"));
	CU_ASSERT_NOT_EQUAL(add(&set, "cqe-posted-twice:mth=3", line, sizeof(line)), 0);
	CU_ASSERT_NOT_EQUAL(add(&set, "cqe-posted-twice:nth", line, sizeof(line)), 0);
	CU_ASSERT_NOT_EQUAL(add(&set, "cqe-posted-twice:nth=0", line, sizeof(line)), 0);
	CU_ASSERT_NOT_EQUAL(add(&set, "cqe-posted-twice:nth=x", line, sizeof(line)), 0);
	CU_ASSERT_NOT_EQUAL(add(&set, "compare-always-equal:nth=1", line, sizeof(line)), 0);
	CU_ASSERT_NOT_EQUAL(add(&set, "", line, sizeof(line)), 0);
	CU_ASSERT_EQUAL(set.nr, 2);
	for (unsigned i = 2; i < NVP_DEFECT_MAX; i++)
		CU_ASSERT_EQUAL(add(&set, "data-short", line, sizeof(line)), 0);
	CU_ASSERT_EQUAL(add(&set, "data-short", line, sizeof(line)), -E2BIG);
}

CU_TestInfo nvp_unit_sim_defects[] = {
	{ "each_shows_what_it_says", each_shows_what_it_says },
	{ "each_of_power_shows_what_it_says", each_of_power_shows_what_it_says },
	{ "scripts_repeat", scripts_repeat },
	{ "catalogue", catalogue },
	{ "parsing", parsing },
	CU_TEST_INFO_NULL
};
