/* racers: races a plan's clients against a server on the loopback and reports what they saw; see ../README.md. */
#define _GNU_SOURCE
#include "fleet.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const char usage[] =
    "usage: racers --plan FILE --port PORT [options]\n"
    "  --mode play       race for --seconds, then wait until every push has arrived (the default)\n"
    "  --mode storm      connect everybody at once and time until all have their welcome\n"
    "  --mode idle       connect everybody, hold for --seconds, only pinging\n"
    "  --rate R          open loop: R moves a second a racer, latency from the scheduled time\n"
    "                    (0, the default: closed loop, the next move when the last is acknowledged)\n"
    "  --seconds S       the timed window (10)      --warm S         play before it (1)\n"
    "  --patience S      for joining, starting and the last pushes (30)\n"
    "  --ping S          between a client's pings (5, 0: none); after 500 frames one is sent sooner\n"
    "  --connecting N    handshakes under way at a time (50; storm: all)\n"
    "  --server-pid PID  report that process's CPU share and memory\n"
    "  --address A       127.0.0.1 or another of 127.*      --seed N\n"
    "  --read-at-most N  bytes a read, to try the reader\n"
    "  --json            one JSON object instead of text\n"
    "Exits with 0 when everything sent was acknowledged and every push arrived, with 1 when not.\n";

static struct {
    const char *mode;
    double seconds, warm, patience;
    int server;
    bool json;
} wanted = {.mode = "play", .seconds = 10, .warm = 1, .patience = 30};

/* ---- processor time and memory */

struct usage {
    double at, own, server; /* seconds */
    double server_mib;
};

static struct usage usage_now(void)
{
    struct rusage own;
    struct usage now = {.at = clock_now()};
    getrusage(RUSAGE_SELF, &own);
    now.own = (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) +
              (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec) * 1e-6;
    if (wanted.server > 0) {
        char file[64], text[1024];
        unsigned long user = 0, system = 0;
        long pages = 0;
        snprintf(file, sizeof file, "/proc/%d/stat", wanted.server);
        FILE *stat = fopen(file, "r");
        size_t length = stat ? fread(text, 1, sizeof text - 1, stat) : 0;
        if (stat)
            fclose(stat);
        text[length] = 0;
        const char *after = strrchr(text, ')'); /* the name may hold anything */
        if (after)
            sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u %*u %ld",
                   &user, &system, &pages);
        now.server = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
        now.server_mib = (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
    }
    return now;
}

/* ---- the phases */

/* Turns until `done` or the patience is at its end; whether it is done. */
static bool wait_for(bool (*done)(void))
{
    double until = clock_now() + wanted.patience;
    while (!done()) {
        double now = clock_now();
        if (now >= until)
            return false;
        fleet_turn(now + 0.01 < until ? now + 0.01 : until);
    }
    return true;
}

static void turn_until(double until)
{
    while (clock_now() < until)
        fleet_turn(until);
}

struct result {
    struct usage before, after;
    uint64_t expected, delivered, bytes, frames;
    double joined_s, settled_s;
    bool joined, started, settled;
};

static void join(struct result *result)
{
    double began = clock_now();
    result->joined = wait_for(fleet_all_welcomed);
    result->joined_s = clock_now() - began;
    for (int i = 0; i < fleet.length; i++)
        if (fleet.clients[i].state < WELCOMED)
            result->joined = false;
}

static void play(struct result *result)
{
    fleet_start_races();
    result->started = wait_for(fleet_all_racing);
    fleet.from = clock_now() + wanted.warm;
    fleet.until = fleet.from + wanted.seconds;
    fleet_race();
    turn_until(fleet.from);
    result->before = usage_now();
    uint64_t bytes = fleet.bytes_in, frames = fleet.frames_in;
    turn_until(fleet.until);
    fleet.racing = fleet.offering = false;
    result->after = usage_now();
    result->bytes = fleet.bytes_in - bytes;
    result->frames = fleet.frames_in - frames;
    result->settled = wait_for(fleet_settled);
    result->settled_s = clock_now() - result->after.at;
    fleet_count_pushes(&result->expected, &result->delivered);
}

/* ---- the report */

static int halted(void)
{
    int count = 0;
    for (int i = 0; i < fleet.length; i++)
        count += fleet.clients[i].halted;
    return count;
}

static int played_out(void)
{
    int count = 0;
    for (int i = 0; i < fleet.racers; i++)
        count += fleet.order[i]->sent == fleet.order[i]->script->length;
    return count;
}

static void print_words_json(const char *name, const struct tally *tally)
{
    printf(",\"%s\":{", name);
    for (int i = 0; i < tally->length; i++)
        printf("%s\"%s\":%" PRIu64, i ? "," : "", tally->rows[i].word, tally->rows[i].count);
    printf("}");
}

static void print_times_json(const char *name, const struct histogram *times)
{
    printf(",\"%s\":{\"count\":%" PRIu64 ",\"p50\":%.3f,\"p95\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, times->count,
           histogram_ms(times, 0.5), histogram_ms(times, 0.95), histogram_ms(times, 0.99),
           (double)times->longest / 1000);
}

static void print_words(const char *name, const struct tally *tally)
{
    printf("%-11s", name);
    for (int i = 0; i < tally->length; i++)
        printf("%s%s %" PRIu64, i ? ", " : "", tally->rows[i].word, tally->rows[i].count);
    printf("%s\n", tally->length ? "" : "none");
}

static void print_times(const char *name, const struct histogram *times)
{
    printf("%-11sp50 %.2f  p95 %.2f  p99 %.2f  max %.2f ms\n", name, histogram_ms(times, 0.5),
           histogram_ms(times, 0.95), histogram_ms(times, 0.99), (double)times->longest / 1000);
}

static void report_json(const struct result *result, bool well, double own, double server)
{
    double window = result->after.at - result->before.at;
    printf("{\"mode\":\"%s\",\"well\":%s,\"racers\":%d,\"watchers\":%d,\"races\":%d,\"rate\":%g,\"window_s\":%.3f",
           wanted.mode, well ? "true" : "false", fleet.racers, fleet.length - fleet.racers, fleet.races_length,
           fleet.rate, window);
    printf(",\"joined\":%" PRIu64 ",\"joined_s\":%.3f", fleet.joining.count, result->joined_s);
    print_times_json("joining_ms", &fleet.joining);
    print_times_json("pong_ms", &fleet.ponging);
    printf(",\"pings\":%" PRIu64 ",\"pongs\":%" PRIu64, fleet.pings, fleet.pongs);
    if (strcmp(wanted.mode, "play") == 0) {
        printf(",\"offered_a_second\":%.1f,\"acted_a_second\":%.1f",
               (double)fleet.sent_in_window / wanted.seconds, (double)fleet.acked_in_window / wanted.seconds);
        printf(",\"sent\":%" PRIu64 ",\"acted\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"in_vain\":%" PRIu64, fleet.sent,
               fleet.acked, fleet.refused, fleet.offered_in_vain);
        print_times_json("acted_ms", &fleet.acting);
        print_times_json("pushed_ms", &fleet.pushing);
        printf(",\"pushes_expected\":%" PRIu64 ",\"pushes_delivered\":%" PRIu64 ",\"pushes_repeated\":%" PRIu64,
               result->expected, result->delivered, fleet.repeated);
        printf(",\"settled\":%s,\"settled_s\":%.3f,\"halted\":%d,\"played_out\":%d,\"finished\":%" PRIu64,
               result->settled ? "true" : "false", result->settled_s, halted(), played_out(), fleet.finished);
    }
    print_words_json("refusals", &fleet.refusals);
    print_words_json("faults", &fleet.fault_words);
    print_words_json("closes", &fleet.closes);
    printf(",\"mistaken\":%" PRIu64 ",\"unreadable\":%" PRIu64 ",\"mib_in\":%.3f,\"frames_in\":%" PRIu64
           ",\"generator_cpu\":%.3f",
           fleet.mistaken, fleet.broken, (double)result->bytes / 1048576, result->frames, own);
    if (wanted.server > 0)
        printf(",\"server_cpu\":%.3f,\"server_mib\":%.1f,\"server_mib_before\":%.1f", server, result->after.server_mib,
               result->before.server_mib);
    printf("}\n");
}

static void report_text(const struct result *result, double own, double server)
{
    printf("%-11s%s: %d racers, %d watchers, %d races", "run", wanted.mode, fleet.racers, fleet.length - fleet.racers,
           fleet.races_length);
    if (strcmp(wanted.mode, "play") == 0) {
        printf(fleet.rate > 0 ? ", open loop %g moves a second each" : ", closed loop", fleet.rate);
        printf(", %g s\n", wanted.seconds);
    } else {
        printf("\n");
    }
    printf("%-11s%" PRIu64 " of %d in %.3f s\n", "joined", fleet.joining.count, fleet.length, result->joined_s);
    print_times("joining", &fleet.joining);
    if (fleet.pings) {
        printf("%-11s%" PRIu64 " of %" PRIu64 "\n", "pongs", fleet.pongs, fleet.pings);
        print_times("pong", &fleet.ponging);
    }
    if (strcmp(wanted.mode, "play") == 0) {
        printf("%-11s%.0f a second of %.0f offered (in all %" PRIu64 " of %" PRIu64 ")\n", "acted",
               (double)fleet.acked_in_window / wanted.seconds, (double)fleet.sent_in_window / wanted.seconds, fleet.acked,
               fleet.sent);
        print_times("acted", &fleet.acting);
        print_times("pushed", &fleet.pushing);
        printf("%-11s%" PRIu64 " of %" PRIu64 " delivered, %" PRIu64 " repeated, settled %.3f s after the window\n",
               "pushes", result->delivered, result->expected, fleet.repeated, result->settled_s);
        print_words("refused", &fleet.refusals);
    }
    print_words("closes", &fleet.closes);
    if (fleet.faults)
        print_words("faults", &fleet.fault_words);
    printf("%-11s%.2f of a core, %.2f MiB in %" PRIu64 " frames\n", "generator", own, (double)result->bytes / 1048576,
           result->frames);
    if (wanted.server > 0)
        printf("%-11s%.2f of a core, %.1f MiB (%.1f before)\n", "server", server, result->after.server_mib,
               result->before.server_mib);
}

static void warn(bool when, const char *what)
{
    if (when)
        fprintf(stderr, "racers: %s\n", what);
}

/* Prints the report; whether all went well. */
static bool report(const struct result *result)
{
    double window = result->after.at - result->before.at;
    double own = window > 0 ? (result->after.own - result->before.own) / window : 0;
    double server = window > 0 ? (result->after.server - result->before.server) / window : 0;
    bool playing = strcmp(wanted.mode, "play") == 0;
    bool well = result->joined && !fleet.closes.length && !fleet.faults && !fleet.mistaken && !fleet.broken;
    if (playing)
        well = well && result->started && result->settled && fleet.acked && !fleet.refused && !fleet.repeated &&
               !fleet.offered_in_vain && fleet.acked == fleet.sent && result->expected == result->delivered &&
               !played_out() && !fleet.finished;
    if (strcmp(wanted.mode, "idle") == 0)
        well = well && result->settled;
    if (wanted.json)
        report_json(result, well, own, server);
    else
        report_text(result, own, server);
    warn(!result->joined, "not everybody joined");
    warn(playing && !result->started, "not every race started");
    warn(playing && !result->settled, "answers or pushes are missing");
    warn(playing && result->delivered < result->expected, "some pushes never came");
    warn(playing && fleet.repeated, "some pushes came twice or out of order");
    warn(playing && played_out(), "some scripts were played to their end: the rate is understated, plan longer ones");
    warn(playing && fleet.finished, "some games finished within the run");
    warn(strcmp(wanted.mode, "idle") == 0 && !result->settled, "some pings were not answered");
    warn(halted(), "some racers stopped after a fault or repeated refusals");
    warn(fleet.mistaken, "some answers were not those awaited");
    warn(fleet.broken, "some messages could not be read");
    warn(playing && own > 0.9, "the generator itself was the bottleneck");
    return well;
}

/* ---- the command line */

enum { PLAN = 256, PORT, ADDRESS, MODE, RATE, SECONDS, WARM, PATIENCE, PING, CONNECTING_AT_ONCE, SERVER_PID, SEED,
       READ_AT_MOST, AS_JSON, HELP };

static const struct option options[] = {
    {"plan", 1, 0, PLAN}, {"port", 1, 0, PORT}, {"address", 1, 0, ADDRESS}, {"mode", 1, 0, MODE},
    {"rate", 1, 0, RATE}, {"seconds", 1, 0, SECONDS}, {"warm", 1, 0, WARM}, {"patience", 1, 0, PATIENCE},
    {"ping", 1, 0, PING}, {"connecting", 1, 0, CONNECTING_AT_ONCE}, {"server-pid", 1, 0, SERVER_PID},
    {"seed", 1, 0, SEED}, {"read-at-most", 1, 0, READ_AT_MOST}, {"json", 0, 0, AS_JSON}, {"help", 0, 0, HELP},
    {0, 0, 0, 0}};

static double number(double least, double most)
{
    char *end;
    double value = strtod(optarg, &end);
    if (*end || end == optarg || !(value >= least && value <= most)) {
        fprintf(stderr, "racers: %s is not a number from %g to %g\n", optarg, least, most);
        exit(2);
    }
    return value;
}

static const char *read_options(int count, char **arguments, uint64_t *seed)
{
    const char *plan = NULL;
    int option;
    fleet.address = "127.0.0.1";
    fleet.connecting_at_once = 50;
    fleet.ping_every = 5;
    fleet.ping_frames = 500;
    fleet.read_at_most = 65536;
    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1)
        switch (option) {
        case PLAN: plan = optarg; break;
        case PORT: fleet.port = (int)number(1, 65535); break;
        case ADDRESS: fleet.address = optarg; break;
        case MODE: wanted.mode = optarg; break;
        case RATE: fleet.rate = number(0, 1e6); break;
        case SECONDS: wanted.seconds = number(0.01, 3600); break;
        case WARM: wanted.warm = number(0, 3600); break;
        case PATIENCE: wanted.patience = number(0.1, 3600); break;
        case PING: fleet.ping_every = number(0, 3600); break;
        case CONNECTING_AT_ONCE: fleet.connecting_at_once = (int)number(1, 1e6); break;
        case SERVER_PID: wanted.server = (int)number(1, 1e9); break;
        case SEED: *seed = (uint64_t)number(0, 1e15); break;
        case READ_AT_MOST: fleet.read_at_most = (size_t)number(1, 65536); break;
        case AS_JSON: wanted.json = true; break;
        case HELP: fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    bool mode = strcmp(wanted.mode, "play") == 0 || strcmp(wanted.mode, "storm") == 0 ||
                strcmp(wanted.mode, "idle") == 0;
    if (!plan || !fleet.port || !mode || optind < count) {
        fputs(usage, stderr);
        exit(2);
    }
    if (strncmp(fleet.address, "127.", 4) != 0) {
        fputs("racers: load goes to the loopback only\n", stderr);
        exit(2);
    }
    return plan;
}

static void allow_many_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

int main(int count, char **arguments)
{
    struct result result = {0};
    uint64_t seed = 1;
    fleet_read_plan(read_options(count, arguments, &seed));
    if (!fleet.length || (strcmp(wanted.mode, "play") == 0 && !fleet.racers)) {
        fputs("racers: nobody in the plan\n", stderr);
        return 2;
    }
    allow_many_files();
    prctl(PR_SET_TIMERSLACK, 1000UL); /* nanoseconds: the open loop keeps its times */
    fleet_open(seed);
    if (strcmp(wanted.mode, "storm") == 0) {
        fleet.connecting_at_once = fleet.length;
        fleet.ping_every = 0;
    }
    result.before = usage_now();
    join(&result);
    if (strcmp(wanted.mode, "play") == 0) {
        play(&result);
    } else {
        if (strcmp(wanted.mode, "idle") == 0) {
            turn_until(clock_now() + wanted.seconds);
            fleet.ping_every = 0;
            result.settled = wait_for(fleet_all_ponged);
        }
        result.after = usage_now();
        result.bytes = fleet.bytes_in;
        result.frames = fleet.frames_in;
    }
    bool well = report(&result);
    fleet_close();
    return well ? 0 : 1;
}
