// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog view --png: draws a picture into a file.
 *
 * Stage: between the command and scene.c, draw.c.
 */
#include <errno.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "picture.h"
#include "view/session/session.h"

void picture_options_init(struct picture_options *opts)
{
	memset(opts, 0, sizeof(*opts));
	opts->to_ns = UINT64_MAX;
	opts->paper.width = PICTURE_WIDTH;
}

static int draw(const struct picture_scene *scene, const struct picture_options *opts,
		const char *path)
{
	struct atomic_file output;
	unsigned int needed;
	int status, error;

	status = atomic_file_open(&output, path);
	if (status != EXIT_OK)
		return status;
	error = picture_draw(scene, opts, output.out, &needed);
	if (error != -E2BIG)
		return atomic_file_close(&output, error);
	atomic_file_discard(&output);
	if (!opts->paper.height || needed > DRAW_SIDE_MAX) {
		pr_err("--png: the lanes need %u pixels of height and the limit is %u: select fewer with --host or --cpu",
		       needed, DRAW_SIDE_MAX);
		return EXIT_FAILED;
	}
	return misuse("view", "--height: the lanes need at least %u pixels: give them, or choose some with --host or --cpu",
		      needed);
}

int picture_write(struct session *session, const struct picture_options *opts,
		  const char *path)
{
	struct picture_scene scene;
	int status, error;

	status = session_check_span(session, "view", opts->from_ns, opts->to_ns);
	if (status != EXIT_OK)
		return status;
	error = picture_scene_new(session, opts, picture_columns(opts), &scene);
	if (error) {
		pr_err("--png: %s", strerror(-error));
		return EXIT_FAILED;
	}
	status = draw(&scene, opts, path);
	picture_scene_free(&scene);
	return status;
}
