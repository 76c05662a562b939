// SPDX-License-Identifier: GPL-2.0-or-later
// The SMART / Health Information log (NVMe Base 2.0 section 5.16.1.3) from the drive's counters.

#include "core/sim/logs.h"

#include <string.h>

#include "core/base/bits.h"
#include "core/sim/commands.h"
#include "core/sim/cut.h"

#define WARNING_TEMPERATURE 0x02
#define BACKUP_FAILED 0x10
#define NS_PER_MINUTE 60000000000ULL
#define NS_PER_HOUR 3600000000000ULL
#define SECTORS_PER_UNIT 1000

#define PUT(key, value) nvp_field_put(&nvp_fields_smart, data, key, value)

#define u128 unsigned __int128

static u128 counter(struct nvp_sim *w, enum nvp_counter which)
{
	uint8_t bytes[16];

	nvp_counter_get(w, which, bytes);
	return (u128)nvp_le64(bytes + 8) << 64 | nvp_le64(bytes);
}

static void put_u128(uint8_t *data, const char *key, u128 value)
{
	uint8_t *at = data + nvp_field_find(&nvp_fields_smart, key)->offset;

	nvp_put_le64(at, (uint64_t)value);
	nvp_put_le64(at + 8, (uint64_t)(value >> 64));
}

/* Thousands of 512-byte sectors, rounded up. */
static u128 data_units(struct nvp_sim *w, enum nvp_counter which)
{
	u128 sectors = counter(w, which);

	if (nvp_defect(w, NVP_HOOK_SMART_UNITS))
		return sectors;
	return sectors / SECTORS_PER_UNIT + (sectors % SECTORS_PER_UNIT != 0);
}

/* At or above the upper threshold, or at or below the lower one (5.27.1.3). */
static bool beyond_threshold(const struct nvp_sim *w, unsigned sensor)
{
	const uint32_t *value = w->commands->features.value;
	uint16_t now_k = nvp_sim_sensor_k(w, sensor);

	return now_k >= value[nvp_temperature_slot(sensor, false)] ||
	       now_k <= value[nvp_temperature_slot(sensor, true)];
}

uint8_t nvp_sim_critical_warning(const struct nvp_sim *w)
{
	for (unsigned sensor = 0; sensor <= nvp_sim_nr_sensors(w); sensor++)
		if (beyond_threshold(w, sensor))
			return WARNING_TEMPERATURE;
	return 0;
}

static void put_temperatures(struct nvp_sim *w, uint8_t *data)
{
	static const char *const keys[] = { "sensor1", "sensor2" };
	uint32_t falling = 0;

	if (nvp_defect(w, NVP_HOOK_SMART_MINUTES_DOWN))
		falling = 1000000 - (uint32_t)w->commands->smart_reads++;

	PUT("composite_temperature", nvp_sim_sensor_k(w, 0));
	for (unsigned i = 0; i < nvp_sim_nr_sensors(w); i++)
		PUT(keys[i], nvp_sim_sensor_k(w, i + 1));
	PUT("warning_temp_minutes",
	    (uint32_t)(counter(w, NVP_COUNT_WARNING_TEMP_NS) / NS_PER_MINUTE) + falling);
	PUT("critical_temp_minutes",
	    (uint32_t)(counter(w, NVP_COUNT_CRITICAL_TEMP_NS) / NS_PER_MINUTE) + falling);
}

void nvp_log_fill_smart(struct nvp_sim *w, uint8_t *data)
{
	u128 units_read = data_units(w, NVP_COUNT_SECTORS_READ);
	u128 errors = counter(w, NVP_COUNT_ERROR_ENTRIES);

	if (nvp_defect(w, NVP_HOOK_SMART_DOWN))
		units_read += 1000000000 - 100000 * w->commands->smart_reads++;
	if (nvp_defect(w, NVP_HOOK_ERR_SMART))
		errors = 0;
	PUT("critical_warning", nvp_defect(w, NVP_HOOK_SMART_NO_WARNING) ? 0 :
	    nvp_defect(w, NVP_HOOK_BACKUP_FAILED) && w->cut->after_cut ?
	    nvp_sim_critical_warning(w) | BACKUP_FAILED : nvp_sim_critical_warning(w));
	PUT("available_spare", 100);
	PUT("spare_threshold", 10);
	put_temperatures(w, data);
	put_u128(data, "data_units_read", units_read);
	put_u128(data, "data_units_written", data_units(w, NVP_COUNT_SECTORS_WRITTEN));
	put_u128(data, "host_reads", counter(w, NVP_COUNT_HOST_READS));
	put_u128(data, "host_writes", counter(w, NVP_COUNT_HOST_WRITES));
	put_u128(data, "busy_minutes", counter(w, NVP_COUNT_BUSY_NS) / NS_PER_MINUTE);
	put_u128(data, "power_cycles", counter(w, NVP_COUNT_POWER_CYCLES));
	put_u128(data, "power_on_hours", counter(w, NVP_COUNT_POWER_ON_NS) / NS_PER_HOUR);
	put_u128(data, "unsafe_shutdowns", counter(w, NVP_COUNT_UNSAFE_SHUTDOWNS));
	put_u128(data, "media_errors", counter(w, NVP_COUNT_MEDIA_ERRORS));
	put_u128(data, "error_log_entries", errors);
}
