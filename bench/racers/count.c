#include "count.h"

#include <math.h>
#include <string.h>

/* Below 128 µs a bucket is a microsecond; above, every doubling has 64 of them. */
static int bucket_of(uint64_t us)
{
    if (us < 128)
        return (int)us;
    int doublings = 63 - __builtin_clzll(us) - 6;
    int bucket = 128 + (doublings - 1) * 64 + (int)((us >> doublings) - 64);
    return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

static uint64_t bucket_top(int bucket)
{
    if (bucket < 128)
        return (uint64_t)bucket;
    int doublings = (bucket - 128) / 64 + 1;
    return ((((uint64_t)bucket - 128) % 64 + 65) << doublings) - 1;
}

void histogram_add(struct histogram *histogram, double seconds)
{
    uint64_t us = seconds > 0 ? (uint64_t)(seconds * 1e6) : 0;
    histogram->buckets[bucket_of(us)]++;
    histogram->count++;
    if (us > histogram->longest)
        histogram->longest = us;
}

double histogram_ms(const struct histogram *histogram, double share)
{
    uint64_t wanted = (uint64_t)ceil(share * (double)histogram->count), below = 0;
    if (!histogram->count)
        return 0;
    for (int i = 0; i < BUCKETS; i++) {
        below += histogram->buckets[i];
        if (below >= wanted && below) {
            uint64_t top = bucket_top(i);
            return (double)(top < histogram->longest ? top : histogram->longest) / 1000;
        }
    }
    return (double)histogram->longest / 1000;
}

void tally_add(struct tally *tally, const char *word, size_t length)
{
    int i = 0, most = (int)(sizeof tally->rows / sizeof *tally->rows);
    if (length > sizeof tally->rows->word - 1)
        length = sizeof tally->rows->word - 1;
    while (i < tally->length &&
           (strlen(tally->rows[i].word) != length || memcmp(tally->rows[i].word, word, length) != 0))
        i++;
    if (i == tally->length) {
        if (i == most)
            i--; /* words beyond the last are counted with it */
        else {
            memcpy(tally->rows[i].word, word, length);
            tally->length++;
        }
    }
    tally->rows[i].count++;
}

uint64_t tally_total(const struct tally *tally)
{
    uint64_t total = 0;
    for (int i = 0; i < tally->length; i++)
        total += tally->rows[i].count;
    return total;
}
