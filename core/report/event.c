// SPDX-License-Identifier: GPL-2.0-or-later
// Event lines through json-c, strictly: whoever wrote the file is not trusted.

#include "core/report/event.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "core/base/parse.h"

#define DEEPEST_EVENT 16
#define DEEPEST_DOCUMENT 32	/* events nested in a document of ours */

static int parse_json(const char *text, size_t nr_bytes, int deepest, struct json_object **root,
		      const char **why)
{
	struct json_tokener *tokener = json_tokener_new_ex(deepest);
	enum json_tokener_error error;

	*root = NULL;
	if (!tokener)
		return -ENOMEM;
	if (nr_bytes > INT32_MAX || memchr(text, '\0', nr_bytes)) {
		*why = "a NUL byte";
		json_tokener_free(tokener);
		return -EBADMSG;
	}
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	*root = json_tokener_parse_ex(tokener, text, (int)nr_bytes);
	error = json_tokener_get_error(tokener);
	if (error == json_tokener_success && json_tokener_get_parse_end(tokener) != nr_bytes)
		error = json_tokener_error_parse_unexpected;
	*why = error == json_tokener_continue ? "the line ends too early" :
						json_tokener_error_desc(error);
	json_tokener_free(tokener);
	if (error == json_tokener_success)
		return 0;
	json_object_put(*root);
	*root = NULL;
	return -EBADMSG;
}

/* json-c takes NaN and Infinity, which no JSON document can carry on. Depth: DEEPEST_EVENT. */
static bool all_finite(struct json_object *value)
{
	if (json_object_is_type(value, json_type_double))
		return isfinite(json_object_get_double(value));
	if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			if (!all_finite(json_object_array_get_idx(value, i)))
				return false;
	}
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, key, inside) {
			(void)key;
			if (!all_finite(inside))
				return false;
		}
	}
	return true;
}

static struct json_object *member(const struct nvp_event *event, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(event->root, key, &value);
	return value;
}

/* The whole string, and nothing that a C string would cut. */
static const char *string_of(struct json_object *value)
{
	const char *text;

	if (!json_object_is_type(value, json_type_string))
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

static bool u64_of(struct json_object *value, uint64_t *number)
{
	const char *text = string_of(value);

	if (text)
		return nvp_parse_u64(text, number) == 0;
	if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0)
		return false;
	*number = json_object_get_uint64(value);
	return true;
}

/* Does the value have the form that the marks behind a key of event.h ask for? */
static bool has_form(struct json_object *value, const char *marks)
{
	const char *text = string_of(value);
	uint64_t number;

	if (strchr(marks, '{'))
		return json_object_is_type(value, json_type_object);
	if (strchr(marks, '['))
		return json_object_is_type(value, json_type_array);
	if (strchr(marks, '$'))
		return text && text[0] && !text[strspn(text, "0123456789")];
	if (strchr(marks, '#'))
		return text && !strncmp(text, "0x", 2) && nvp_parse_u64(text, &number) == 0;
	return text || json_object_is_type(value, json_type_int) ||
	       json_object_is_type(value, json_type_double) ||
	       json_object_is_type(value, json_type_boolean);
}

/* A key list of event.h, "site ok spec{}? lba$", against the object. null counts as absent. */
static int check_keys(const struct nvp_event *event, const char *keys, struct nvp_err *err)
{
	char word[64];

	while (*(keys += strspn(keys, " "))) {
		size_t length = strcspn(keys, " "), name = strcspn(keys, " ?$#{}[]");
		struct json_object *value;
		const char *marks;

		if (length >= sizeof(word))
			return -EBADMSG;
		memcpy(word, keys, length);
		word[length] = '\0';
		marks = word + name + 1;
		memmove(word + name + 1, word + name, length - name + 1);
		word[name] = '\0';
		keys += length;
		value = member(event, word);
		if (!value && strchr(marks, '?'))
			continue;
		if (!value)
			return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "%s without \"%s\"",
					   event->type_name, word);
		if (!has_form(value, marks))
			return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
					   "%s with \"%s\" in another form", event->type_name,
					   word);
	}
	return 0;
}

static int type_of(const char *name)
{
	for (int type = 0; type < NVP_NR_EVENT_TYPES; type++)
		if (!strcmp(name, nvp_event_name((enum nvp_event_type)type)))
			return type;
	return -1;
}

static int read_common(struct nvp_event *event, struct nvp_err *err)
{
	uint64_t version;

	if (!json_object_is_type(event->root, json_type_object))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "not a JSON object");
	if (!all_finite(event->root))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "a number that is not finite");
	if (!u64_of(member(event, "v"), &version) || version != 1)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "not an event of version 1");
	event->type_name = string_of(member(event, "type"));
	event->wall_utc = string_of(member(event, "wall_utc"));
	if (!event->type_name || !event->wall_utc ||
	    !u64_of(member(event, "seq"), &event->seq) ||
	    !u64_of(member(event, "t_ns"), &event->t_ns))
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG,
				   "one of seq, wall_utc, t_ns and type is missing");
	event->drive = string_of(member(event, "drive"));
	event->case_id = string_of(member(event, "case"));
	event->type = type_of(event->type_name);
	if (event->type < 0)
		return 0;
	return check_keys(event, nvp_event_keys((enum nvp_event_type)event->type), err);
}

int nvp_event_parse(const char *line, size_t nr_bytes, struct nvp_event *event,
		    struct nvp_err *err)
{
	const char *why = "";
	int rc;

	memset(event, 0, sizeof(*event));
	if (nr_bytes > NVP_EVENT_LINE_BYTES)
		return nvp_err_set(err, NVP_ERR_BROKEN, -EBADMSG, "longer than 1 MiB");
	rc = parse_json(line, nr_bytes, DEEPEST_EVENT, &event->root, &why);
	if (rc == -EBADMSG)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "no JSON: %s", why);
	if (rc)
		return nvp_err_set(err, NVP_ERR_BROKEN, rc, "out of memory");
	rc = read_common(event, err);
	if (rc)
		nvp_event_free(event);
	return rc;
}

void nvp_event_free(struct nvp_event *event)
{
	json_object_put(event->root);
	memset(event, 0, sizeof(*event));
}

static struct json_object *inside(const struct nvp_event *event, const char *parent,
				  const char *key)
{
	struct json_object *value = NULL;

	if (!parent)
		return member(event, key);
	json_object_object_get_ex(member(event, parent), key, &value);
	return value;
}

const char *nvp_event_text(const struct nvp_event *event, const char *parent, const char *key)
{
	return string_of(inside(event, parent, key));
}

uint64_t nvp_event_u64(const struct nvp_event *event, const char *key, uint64_t fallback)
{
	uint64_t number;

	return u64_of(member(event, key), &number) ? number : fallback;
}

bool nvp_event_bool(const struct nvp_event *event, const char *key)
{
	struct json_object *value = member(event, key);

	return json_object_is_type(value, json_type_boolean) && json_object_get_boolean(value);
}

bool nvp_event_has(const struct nvp_event *event, const char *key)
{
	return member(event, key) != NULL;
}

size_t nvp_event_nr(const struct nvp_event *event, const char *parent, const char *key)
{
	struct json_object *list = inside(event, parent, key);

	return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

const char *nvp_event_item(const struct nvp_event *event, const char *parent, const char *key,
			   size_t i)
{
	struct json_object *item;

	if (i >= nvp_event_nr(event, parent, key))
		return NULL;
	item = json_object_array_get_idx(inside(event, parent, key), i);
	if (json_object_is_type(item, json_type_int))
		return json_object_get_string(item);
	return string_of(item);
}

void nvp_event_add_json(const struct nvp_event *event, const char *key, struct nvp_text *out)
{
	const char *text = json_object_to_json_string_ext(
		member(event, key), JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (text)
		nvp_text_add(out, text);
	else
		out->failed = true;
}

int nvp_json_pretty(const char *json, struct nvp_text *out)
{
	struct json_object *root;
	const char *text, *why;
	int rc = parse_json(json, strlen(json), DEEPEST_DOCUMENT, &root, &why);

	if (rc)
		return rc;
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text) {
		nvp_text_add(out, text);
		nvp_text_add(out, "\n");
	}
	json_object_put(root);
	return text && !out->failed ? 0 : -ENOMEM;
}
