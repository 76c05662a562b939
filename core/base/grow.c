// SPDX-License-Identifier: GPL-2.0-or-later
// Growing arrays: twice the room each time.

#include "core/base/grow.h"

#include <stdlib.h>

bool nvp_grow(void **array, size_t nr, size_t *capacity, size_t element_bytes)
{
	size_t more = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (nr < *capacity)
		return true;
	grown = reallocarray(*array, more, element_bytes);
	if (!grown)
		return false;
	*array = grown;
	*capacity = more;
	return true;
}
