// SPDX-License-Identifier: GPL-2.0-or-later
// INI files through inih, with the checks that it leaves out.

#include "core/base/ini.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ini.h>

#include "core/base/text.h"

#define LONGEST_LINE (INI_MAX_LINE - 3)	/* inih cuts what is longer, without a sign */
#define LONGEST_SECTION 49

struct ini_reader {
	const char *path;
	FILE *file;
	unsigned line;
	int (*take)(void *context, const struct nvp_ini_entry *entry, struct nvp_err *err);
	void *context;
	struct nvp_err *err;
	int rc;
};

static int bad_line(struct ini_reader *r, const char *why)
{
	r->rc = nvp_err_set(r->err, NVP_ERR_USAGE, -EINVAL, "%s:%u: %s", r->path, r->line, why);
	return r->rc;
}

/* The next line without its end: its length, or -1 at the end of the file or after an error. */
static int take_line(struct ini_reader *r, char *line)
{
	int length = 0, c;

	while ((c = getc(r->file)) != EOF && c != '\n') {
		if (!c || length == LONGEST_LINE) {
			r->line++;
			bad_line(r, c ? "the line is longer than 197 bytes" : "a NUL byte");
			return -1;
		}
		line[length++] = (char)c;
	}
	if (c == EOF && !length) {
		if (ferror(r->file))
			r->rc = nvp_err_set(r->err, NVP_ERR_USAGE, -errno, "read %s: %s", r->path,
					    strerror(errno));
		return -1;
	}
	r->line++;
	line[length] = '\0';
	return length;
}

/* inih asks for a line here. Indentation goes: to inih it would mean "more of the value above". */
static char *read_line(char *out, int bytes, void *stream)
{
	struct ini_reader *r = stream;
	char line[LONGEST_LINE + 1];
	const char *begin = line, *close;

	if (r->rc || bytes < INI_MAX_LINE || take_line(r, line) < 0)
		return NULL;
	begin += strspn(begin, " \t\r");
	close = *begin == '[' ? strchr(begin, ']') : NULL;
	if (close && close - begin - 1 > LONGEST_SECTION) {
		bad_line(r, "the section name is longer than 49 bytes");
		return NULL;
	}
	snprintf(out, (size_t)bytes, "%s\n", begin);
	return out;
}

static int take_entry(void *user, const char *section, const char *name, const char *value)
{
	struct ini_reader *r = user;
	struct nvp_ini_entry entry = {
		.path = r->path, .line = r->line, .section = section, .key = name, .value = value,
	};

	if (!r->rc)
		r->rc = r->take(r->context, &entry, r->err);
	return 1;
}

int nvp_ini_read(const char *path, int (*take)(void *context, const struct nvp_ini_entry *entry,
					       struct nvp_err *err),
		 void *context, struct nvp_err *err)
{
	struct ini_reader r = { .path = path, .take = take, .context = context, .err = err };
	int bad;

	r.file = fopen(path, "re");
	if (!r.file)
		return nvp_err_set(err, NVP_ERR_USAGE, -errno, "open %s: %s", path,
				   strerror(errno));
	/* The reader hands itself on: stream and user are one object. */
	bad = ini_parse_stream(read_line, &r, take_entry, &r);
	fclose(r.file);
	if (!r.rc && bad > 0) {
		r.line = (unsigned)bad;
		bad_line(&r, "neither [section], key = value nor a comment");
	} else if (!r.rc && bad < 0) {
		r.rc = nvp_err_set(err, NVP_ERR_BROKEN, -ENOMEM, "read %s: out of memory", path);
	}
	return r.rc;
}
