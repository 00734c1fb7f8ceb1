/* SPDX-License-Identifier: BSD-2-Clause */
/* References to objects, and the calls in progress that work with them. */
#include "core/in_use.h"
#include "core/context/ctx_impl.h"

ovk__object ovk__object_new(ovk_ctx *ctx, void (*destroy)(void *self))
{
  return (ovk__object){ctx, ovk__ctx_hold(ctx), destroy, .references = 1};
}

void *ovk__hold(const void *handle)
{
  ovk__object *object = (ovk__object *)handle;
  object->references++;
  return object;
}

void ovk__release(void *handle)
{
  ovk__object *object = handle;
  if (!object || --object->references > 0) return;
  ovk_ctx *held = object->held;
  object->destroy(handle);
  ovk__ctx_release(held);
}

enum { MAX_OBJECTS = sizeof((ovk__used *)0)->objects / sizeof(void *) };

ovk__used ovk__begin_use(ovk__used used)
{
  for (int k = 0; k < MAX_OBJECTS; k++) {
    if (used.objects[k]) ((ovk__object *)ovk__hold(used.objects[k]))->calls++;
  }
  return used;
}

void ovk__end_use(const ovk__used *used)
{
  for (int k = 0; k < MAX_OBJECTS; k++) {
    ovk__object *object = (ovk__object *)used->objects[k];
    if (object) object->calls--;
    ovk__release(object);
  }
}
