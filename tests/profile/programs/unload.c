// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unload - a thread was in a plug-in's region, and ends after the plug-in was unloaded. With
 * -DPLUGIN, this is the plug-in. Only the plug-in is linked with libevtlog.
 */
#ifdef PLUGIN
#include <evtlog/region.h>

void work(void);

void work(void)
{
	evtlog_region_begin("plugged");
	evtlog_region_end("plugged");
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void *use(void *path)
{
	void *plugin = dlopen(path, RTLD_NOW);
	void (*work)(void) = plugin ? (void (*)(void))dlsym(plugin, "work") : NULL;

	if (!work) {
		fprintf(stderr, "%s\n", dlerror());
		return path;
	}
	work();
	dlclose(plugin);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *failed;

	return pthread_create(&thread, NULL, use, argv[1]) || pthread_join(thread, &failed) ||
	       failed;
}
#endif
