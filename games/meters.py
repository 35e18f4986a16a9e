"""What this process counts for Prometheus: plain numbers, written out when they are asked for.

The library's own counters take a lock and about a microsecond each; an answered move adds to three
of them. These are changed on the event loop's thread alone and cost a tenth of that.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

registry = CollectorRegistry()
ProcessCollector(registry=registry)
PlatformCollector(registry=registry)
GCCollector(registry=registry)


class Count(Collector):
    """A number that only grows, for each value of one label, or for "" where there is none."""

    def __init__(self, name: str, text: str, label: str | None = None) -> None:
        self._name, self._text, self._label = name, text, label
        self.values: Counter[str] = Counter() if label else Counter({"": 0})
        registry.register(self)

    def add(self, value: str = "", times: int = 1) -> None:
        """Count so many more."""
        self.values[value] += times

    def collect(self) -> Iterator[Metric]:
        """Write the numbers out."""
        labels = [self._label] if self._label else []
        family = CounterMetricFamily(self._name, self._text, labels=labels)
        for value, count in list(self.values.items()):
            family.add_metric([value] if self._label else [], count)
        yield family


class Level(Collector):
    """A number that is asked for when it is wanted."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self.read: Callable[[], float] = lambda: 0
        registry.register(self)

    def collect(self) -> Iterator[Metric]:
        """Ask and write out."""
        yield GaugeMetricFamily(self._name, self._text, value=self.read())


class Spread(Collector):
    """How often a measured value fell below each of some bounds."""

    def __init__(self, name: str, text: str, bounds: Sequence[float]) -> None:
        self._name, self._text, self._bounds = name, text, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        registry.register(self)

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[Metric]:
        """Write the counts out, each with those below it."""
        total, buckets = 0, list[tuple[str, float]]()
        for bound, count in zip([*map(str, self._bounds), "+Inf"], self._counts, strict=True):
            total += count
            buckets.append((bound, total))
        family = HistogramMetricFamily(self._name, self._text)
        family.add_metric([], buckets, self._sum)
        yield family


_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)

sockets = Level("crescent_sockets", "Open sockets of this process")
races_live = Level("crescent_races_live", "Races that this process holds in memory")
queued = Level("crescent_actions_queued", "Actions that wait for the next commit")
acted = Count("crescent_actions", "Actions that were made durable here")
refused = Count("crescent_refused", "Actions and requests refused", "reason")
closed = Count("crescent_sockets_closed", "Sockets that this process closed", "code")
unannounced = Count("crescent_announcements_failed", "Frames the channel layer did not take")
lost_commits = Count("crescent_commits_failed", "Transactions of the journal that failed")
batch_actions = Spread(
    "crescent_batch_actions", "Actions in a commit", (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
)
commit_seconds = Spread("crescent_commit_seconds", "How long a commit took", _SECONDS)
answer_seconds = Spread(
    "crescent_answer_seconds", "From an action's arrival until its answer was sent", _SECONDS
)
