// SPDX-License-Identifier: MIT
// The command of the Python package. Its code is in the library, so that the package has it once: this finds the library where
// pip put it, which depends on the Python it was installed for.
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#error "VERSION is that of the package"
#endif

// Where the modules are, seen from the folder of the command.
static const char *const places[] = {
    "../lib*/*/site-packages",  // an environment, or a user's own
    "../lib*/*/dist-packages",  // Debian
    "../lib*/python",           // pip install --home
    "..",                       // pip install --target
};

// Writes the folder that this program is in, as a pattern that means it alone. Returns its length, 0 where it cannot be
// told.
static size_t own_folder(char *pattern) {
    char path[PATH_MAX];
    ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) return 0;
    size_t length = 0;
    for (const char *next = path; next <= slash; next++) {
        if (strchr("*?[\\", *next)) pattern[length++] = '\\';
        pattern[length++] = *next;
    }
    return length;
}

// Opens the library of this version: several Pythons may have packages of others beside one command.
static void *library(void) {
    char pattern[2 * PATH_MAX + 256];
    size_t folder = own_folder(pattern);
    void *found = NULL;
    for (size_t index = 0; folder && !found && index < sizeof places / sizeof *places; index++) {
        snprintf(pattern + folder, sizeof pattern - folder, "%s/apus-" VERSION ".dist-info", places[index]);
        glob_t packages;
        if (glob(pattern, GLOB_ONLYDIR, NULL, &packages) != 0) continue;
        for (size_t number = 0; !found && number < packages.gl_pathc; number++) {
            char path[PATH_MAX + 64];
            snprintf(path, sizeof path, "%s/../apus/libapus.so.0", packages.gl_pathv[number]);
            found = dlopen(path, RTLD_NOW);
        }
        globfree(&packages);
    }
    return found;
}

int main(void) {
    void *opened = library();
    void (*command)(void) = NULL;
    // As POSIX has it, for what C alone does not promise of functions.
    if (opened) *(void **)&command = dlsym(opened, "apus_command");
    if (command) command();
    const char *reason = dlerror();
    fprintf(stderr, "apus: the Python package apus " VERSION " is not where pip put it%s%s; install it again\n",
            reason ? ": " : "", reason ? reason : "");
    return 1;
}
