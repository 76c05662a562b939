// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses of relays taken apart, and the device behind one.

#include "power/relay_device.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/parse.h"

static const struct nvp_relay_ops *find(const char *address, size_t length)
{
	const struct nvp_relay_ops *const *kinds = nvp_relay_kinds();

	for (size_t i = 0; kinds[i]; i++)
		if (strlen(kinds[i]->scheme) == length &&
		    !strncmp(kinds[i]->scheme, address, length))
			return kinds[i];
	/* given to workers, not by hand: it is in no list */
	return length == 6 && !strncmp(address, "keeper", 6) ? &nvp_relay_keeper : NULL;
}

static int no_such_scheme(const char *address, size_t length, struct nvp_err *err)
{
	const struct nvp_relay_ops *const *kinds = nvp_relay_kinds();
	char list[160] = "";

	for (size_t i = 0, at = 0; kinds[i] && at < sizeof(list) - 1; i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? ", " : "",
				       kinds[i]->scheme);
	nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "no kind of relay \"%.*s\"", (int)length,
		    address);
	nvp_err_expected(err, "one of %s", list);
	return -EINVAL;
}

/* ---- what stands behind "?" ---- */

static int take_setting(const char *word, size_t length, struct nvp_relay_settings *s,
			struct nvp_err *err)
{
	uint64_t low = s->active_low, off = s->off_ms, settle = s->settle_ms,
		 channel = s->channel;
	const struct {
		const char *key;
		uint64_t least, most, *value;
	} keys[] = {
		{ "active-low", 0, 1, &low }, { "off-ms", 0, 60000, &off },
		{ "settle-ms", 0, 10000, &settle }, { "channel", 1, 64, &channel },
	};
	size_t key = strcspn(word, "="), at = 0;
	char text[24] = "";

	while (at < NVP_ARRAY_SIZE(keys) &&
	       (strlen(keys[at].key) != key || strncmp(keys[at].key, word, key)))
		at++;
	if (at == NVP_ARRAY_SIZE(keys) || key >= length) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay: ?%.*s", (int)length, word);
		nvp_err_expected(err, "active-low=1, off-ms=N, settle-ms=N or channel=N, joined by &");
		return -EINVAL;
	}
	if (length - key - 1 < sizeof(text))
		memcpy(text, word + key + 1, length - key - 1);
	if (nvp_parse_u64_range(text, keys[at].least, keys[at].most, keys[at].value)) {
		nvp_err_set(err, NVP_ERR_USAGE, -EINVAL, "relay: ?%.*s", (int)length, word);
		nvp_err_expected(err, "%s from %llu to %llu", keys[at].key,
				 (unsigned long long)keys[at].least,
				 (unsigned long long)keys[at].most);
		return -EINVAL;
	}
	*s = (struct nvp_relay_settings){
		.active_low = low, .off_ms = (uint32_t)off, .settle_ms = (uint32_t)settle,
		.channel = (uint32_t)channel,
	};
	return 0;
}

int nvp_relay_address(const char *address, const struct nvp_relay_ops **ops,
		      char rest[NVP_RELAY_ADDRESS_BYTES], struct nvp_relay_settings *settings,
		      struct nvp_err *err)
{
	size_t length = strcspn(address, ":?"), plain = strcspn(address, "?");
	const char *word = address + plain;
	const char *from = address + length + (address[length] == ':');

	*settings = (struct nvp_relay_settings){ .off_ms = NVP_RELAY_OFF_MS };
	*ops = find(address, length);
	if (!*ops)
		return no_such_scheme(address, length, err);
	plain -= (size_t)(from - address);
	if (plain + 4 >= NVP_RELAY_ADDRESS_BYTES)
		return nvp_err_set(err, NVP_ERR_USAGE, -EINVAL,
				   "relay %.40s...: the address is longer than %u characters",
				   address, NVP_RELAY_ADDRESS_BYTES - 5);
	while (*word) {
		size_t end = strcspn(++word, "&");

		if (take_setting(word, end, settings, err))
			return -EINVAL;
		word += end;
	}
	memcpy(rest, from, plain);
	rest[plain] = '\0';
	if (settings->channel && !(*ops)->open_as)
		snprintf(rest + plain, NVP_RELAY_ADDRESS_BYTES - plain, "/%u", settings->channel);
	return 0;
}

/* ---- the device ---- */

int nvp_relay_device_open(struct nvp_relay_device *relay, const char *address,
			  struct nvp_drive *drive, struct nvp_err *err)
{
	char rest[NVP_RELAY_ADDRESS_BYTES];

	*relay = (struct nvp_relay_device){ 0 };
	if (nvp_relay_address(address, &relay->ops, rest, &relay->settings, err))
		return -EINVAL;
	if (relay->ops->open_for)
		relay->device = relay->ops->open_for(rest, drive, err);
	else if (relay->ops->open_as)
		relay->device = relay->ops->open_as(rest, &relay->settings, err);
	else
		relay->device = relay->ops->open(rest, err);
	return relay->device ? 0 : err && err->code ? err->code : -EIO;
}

void nvp_relay_device_close(struct nvp_relay_device *relay)
{
	if (relay->device)
		relay->ops->close(relay->device);
	relay->device = NULL;
}

/* A kind that was told at open inverts by itself: its first value was right already. */
static bool inverts(const struct nvp_relay_device *relay)
{
	return relay->settings.active_low && !relay->ops->open_as;
}

int nvp_relay_device_set(struct nvp_relay_device *relay, enum nvp_power_action action,
			 struct nvp_err *err)
{
	if (inverts(relay))
		action = action == NVP_POWER_ON ? NVP_POWER_OFF : NVP_POWER_ON;
	return relay->ops->set(relay->device, action, err);
}

int nvp_relay_device_state(struct nvp_relay_device *relay, struct nvp_err *err)
{
	int on;

	if (!relay->ops->state)
		return -EOPNOTSUPP;
	on = relay->ops->state(relay->device, err);
	return on < 0 || !inverts(relay) ? on : !on;
}
