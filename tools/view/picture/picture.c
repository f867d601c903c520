// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog view --png: from options to a file.
 *
 * Stage: between the command and picture-scene.c, picture-draw.c.
 */
#include <errno.h>
#include <string.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "picture.h"
#include "view/session/options.h"

void picture_wish_init(struct picture_wish *wish)
{
	memset(wish, 0, sizeof(*wish));
	wish->to_ns = UINT64_MAX;
	wish->paper.width = PICTURE_WIDTH;
}

static int draw(const struct picture_scene *scene, const struct picture_wish *wish,
		const char *path)
{
	struct output output;
	unsigned int needed;
	int status, error;

	status = output_open(&output, path);
	if (status != EXIT_OK)
		return status;
	error = picture_draw(scene, wish, output.out, &needed);
	if (error != -E2BIG)
		return output_close(&output, error);
	output_discard(&output);
	if (!wish->paper.height || needed > DRAW_SIDE_MAX) {
		say("--png: so many lanes need %u pixels of height, and %u is the most a picture can have: choose some with --hosts or --cpus",
		    needed, DRAW_SIDE_MAX);
		return EXIT_FAILED;
	}
	return misuse("view", "--height: the lanes need at least %u pixels: give them, or choose some with --hosts or --cpus",
		      needed);
}

int picture_write(struct session *session, const struct picture_wish *wish,
		  const char *path)
{
	struct picture_scene scene;
	int status, error;

	status = session_check_span(session, "view", wish->from_ns, wish->to_ns);
	if (status != EXIT_OK)
		return status;
	error = picture_scene_new(session, wish, picture_columns(wish), &scene);
	if (error) {
		say("--png: %s", strerror(-error));
		return EXIT_FAILED;
	}
	status = draw(&scene, wish, path);
	picture_scene_free(&scene);
	return status;
}
