// SPDX-License-Identifier: MIT
// A crowd for an RTMP server: crowd PORT FILE.flv STREAMS SECONDS.
//
// Opens STREAMS publishers, each of which sends the tags of the file at their times, and a player for each. Prints "ready" when
// all of them run, and SECONDS later the bytes that publishers have sent and players have received since. It ends when its
// standard input does.

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { chunk = 4096, handshake = 1536, batch = 50 };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

// MARK: Messages

static uint8_t *stream;      // The tags of the file as chunks.
static size_t *ends;         // Where each of them ends.
static int64_t *times;       // When each of them is due, in microseconds.
static size_t tags;

static size_t put(uint8_t *out, int channel, uint32_t time, int kind, int number, const uint8_t *body, size_t size) {
  uint8_t head[12] = {channel, time >> 16, time >> 8, time, size >> 16, size >> 8, size, kind, number};
  memcpy(out, head, sizeof head);
  size_t place = sizeof head;
  for (size_t done = 0; done < size;) {
    if (done) out[place++] = 0xc0 | channel;
    size_t part = size - done < chunk ? size - done : chunk;
    memcpy(out + place, body + done, part);
    place += part, done += part;
  }
  return place;
}

static void read_tags(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file), place = 13, end = 0;
  rewind(file);
  uint8_t *data = malloc(size);
  if (fread(data, 1, size, file) != size) fail(path);
  fclose(file);
  stream = malloc(size * 2);
  ends = malloc(size / 15 * sizeof *ends), times = malloc(size / 15 * sizeof *times);
  while (place + 11 < size) {
    uint8_t *tag = data + place;
    size_t length = tag[1] << 16 | tag[2] << 8 | tag[3];
    uint32_t time = (uint32_t)tag[7] << 24 | tag[4] << 16 | tag[5] << 8 | tag[6];
    end += put(stream + end, tag[0] == 8 ? 4 : 6, time, tag[0], 1, tag + 11, length);
    ends[tags] = end, times[tags++] = time * 1000LL;
    place += 15 + length;
  }
  free(data);
}

static size_t text(uint8_t *out, const char *value) {
  size_t size = strlen(value);
  out[0] = 2, out[1] = size >> 8, out[2] = size;
  memcpy(out + 3, value, size);
  return size + 3;
}

static size_t number(uint8_t *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  out[0] = 0;
  for (int index = 0; index < 8; index++) out[1 + index] = bits >> (56 - 8 * index);
  return 9;
}

static size_t property(uint8_t *out, const char *name, const char *value) {
  size_t size = strlen(name);
  out[0] = size >> 8, out[1] = size;
  memcpy(out + 2, name, size);
  return 2 + size + text(out + 2 + size, value);
}

// MARK: Clients

enum stage { greeting, connecting, creating, asking, running };

struct client {
  int socket, index, is_player;
  enum stage stage;
  uint8_t held[8192];        // What has come and is not understood yet.
  size_t count;
  size_t tag, sent;          // The tag that is due next, and the bytes of the stream that are sent.
  int64_t began;
};

static int port;
static struct client *clients;
static int poller;
static int64_t published, received;

static void say(struct client *client, const uint8_t *bytes, size_t size) {
  if (send(client->socket, bytes, size, MSG_NOSIGNAL) != (ssize_t)size) fail("send");
}

static void command(struct client *client, int kind, int stream_number, const uint8_t *body, size_t size) {
  uint8_t message[1024];
  say(client, message, put(message, 3, 0, kind, stream_number, body, size));
}

static void open_client(int index, int is_player) {
  struct client *client = &clients[2 * index + is_player];
  *client = (struct client){.socket = socket(AF_INET, SOCK_STREAM, 0), .index = index, .is_player = is_player};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  if (client->socket < 0 || connect(client->socket, (struct sockaddr *)&address, sizeof address)) fail("connect");
  int yes = 1;
  setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  fcntl(client->socket, F_SETFL, O_NONBLOCK);
  uint8_t hello[1 + handshake] = {3};
  for (size_t place = 9; place < sizeof hello; place++) hello[place] = rand();
  say(client, hello, sizeof hello);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, client->socket, &event)) fail("epoll_ctl");
}

static int has(struct client *client, const char *word) {
  uint8_t *found = memmem(client->held, client->count, word, strlen(word));
  if (found) client->count = 0;
  return found != NULL;
}

static void answer(struct client *client) {
  uint8_t body[512], *end = body;
  char name[64], url[64];
  snprintf(name, sizeof name, "s%d", client->index);
  snprintf(url, sizeof url, "rtmp://127.0.0.1:%d/live", port);
  switch (client->stage) {
  case greeting:
    if (client->count < 1 + 2 * handshake) return;
    say(client, client->held + 1, handshake);
    client->count = 0;
    command(client, 1, 0, (uint8_t[]){0, 0, chunk >> 8, 0}, 4);
    end += text(end, "connect"), end += number(end, 1), *end++ = 3;
    end += property(end, "app", "live"), end += property(end, "flashVer", "crowd"), end += property(end, "tcUrl", url);
    *end++ = 0, *end++ = 0, *end++ = 9;
    command(client, 20, 0, body, end - body);
    client->stage = connecting;
    return;
  case connecting:
    if (!has(client, "NetConnection.Connect.Success")) return;
    end += text(end, "createStream"), end += number(end, 2), *end++ = 5;
    command(client, 20, 0, body, end - body);
    client->stage = creating;
    return;
  case creating:
    if (!has(client, "_result")) return;
    end += text(end, client->is_player ? "play" : "publish"), end += number(end, 3), *end++ = 5;
    end += text(end, name);
    if (!client->is_player) end += text(end, "live");
    command(client, 20, 1, body, end - body);
    client->stage = asking;
    return;
  case asking:
    if (!has(client, client->is_player ? "NetStream.Play.Start" : "NetStream.Publish.Start")) return;
    client->stage = running;
    // So that streams do not send in step.
    client->began = now() + client->index * 7919LL % 40000;
    return;
  case running: client->count = 0;
  }
}

static void read_from(struct client *client) {
  static uint8_t sink[1 << 18];
  for (;;) {
    int is_running = client->stage == running;
    uint8_t *place = is_running ? sink : client->held + client->count;
    size_t room = is_running ? sizeof sink : sizeof client->held - client->count;
    ssize_t count = recv(client->socket, place, room, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) fail("recv");
    if (is_running) {
      if (client->is_player) received += count;
      if ((size_t)count < room) return;
    } else {
      client->count += count;
      answer(client);
    }
  }
}

static void send_due(struct client *client, int64_t time) {
  while (client->stage == running && client->tag < tags && client->began + times[client->tag] <= time) {
    size_t end = ends[client->tag];
    ssize_t count = send(client->socket, stream + client->sent, end - client->sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) fail("send");
    client->sent += count, published += count;
    if (client->sent < end) return;
    client->tag++;
  }
}

static int turn(int count) {
  struct epoll_event events[256];
  int found = epoll_wait(poller, events, 256, 2);
  for (int index = 0; index < found; index++) read_from(events[index].data.ptr);
  int64_t time = now();
  int running_clients = 0;
  for (int index = 0; index < 2 * count; index++) {
    struct client *client = &clients[index];
    if (client->socket < 0) continue;
    if (!client->is_player) send_due(client, time);
    running_clients += client->stage == running;
  }
  return running_clients;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  port = atoi(argv[1]);
  read_tags(argv[2]);
  int count = atoi(argv[3]);
  clients = calloc(2 * count, sizeof *clients);
  for (int index = 0; index < 2 * count; index++) clients[index].socket = -1;
  poller = epoll_create1(0);
  for (int is_player = 0, connected = 0; is_player < 2; is_player++) {
    for (int index = 0; index < count;) {
      for (int last = index + batch; index < count && index < last; index++, connected++) open_client(index, is_player);
      while (turn(count) < connected) continue;
    }
  }
  for (int64_t end = now() + 2000000; now() < end;) turn(count);
  published = received = 0;
  puts("ready");
  fflush(stdout);
  for (int64_t end = now() + atoi(argv[4]) * 1000000LL; now() < end;) turn(count);
  printf("%lld %lld\n", (long long)published, (long long)received);
  fflush(stdout);
  struct pollfd input = {.fd = 0, .events = POLLIN};
  while (poll(&input, 1, 0) == 0) turn(count);
}
