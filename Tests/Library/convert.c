// SPDX-License-Identifier: MIT
// convert FOLDER PHOTO...: writes FOLDER/0.jpg of the first photo and so on; of a photo that is refused, nothing.

#include "apus.h"

#include <stdio.h>

int main(int count, char **words) {
  apus_engine *engine = apus_engine_new(2, NULL);
  for (int index = 2; index < count; index++) {
    apus_photo *photo = apus_photo_open_file(words[index], NULL);
    apus_bytes *jpeg = NULL;
    if (photo && apus_convert(engine, photo, NULL, &jpeg, NULL, NULL) == APUS_OK) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%d.jpg", words[1], index - 2);
      FILE *file = fopen(path, "wb");
      if (!file || fwrite(apus_bytes_data(jpeg), 1, apus_bytes_count(jpeg), file) != apus_bytes_count(jpeg) || fclose(file))
        return 1;
    }
    apus_bytes_free(jpeg);
    apus_photo_free(photo);
  }
  apus_engine_free(engine);
  return 0;
}
