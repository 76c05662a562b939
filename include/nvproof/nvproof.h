/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that a case file needs. */
#ifndef NVPROOF_NVPROOF_H
#define NVPROOF_NVPROOF_H

#include <nvproof/buf.h>
#include <nvproof/build.h>
#include <nvproof/case.h>
#include <nvproof/check.h>
#include <nvproof/clock.h>
#include <nvproof/cmd.h>
#include <nvproof/decode.h>
#include <nvproof/drive.h>
#include <nvproof/err.h>
#include <nvproof/ocp.h>
#include <nvproof/pi.h>
#include <nvproof/rig.h>

#endif
