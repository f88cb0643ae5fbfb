#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Swift Testing starts all tests of a run at once unless this variable bounds them, and `swift test` passes on no bound
// of its own. With a thousand tests at once each waits most of its time for the others, which only looks like slowness.
// Swift Testing reads the variable when the run begins, so it is set while the tests are being loaded. No test depends
// on it: a Swift Testing that does not know it runs the same tests, with more of them at once.
static const char *const variable = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH";

__attribute__((constructor)) static void set_width(void) {
    if (getenv(variable) != NULL) return;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = cores > 2 ? (int)(2 * cores) : 4;
    char text[16];
    snprintf(text, sizeof text, "%d", wanted);
    setenv(variable, text, 0);
}
