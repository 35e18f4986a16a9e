"""What `serve` says it can be opened by."""

import ipaddress

import pytest

from games.management.commands.serve import _addresses


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", ["localhost"]), ("192.0.2.7", ["192.0.2.7"]), ("::1", ["[::1]"])],
)
def test_one_interface_is_told_as_it_is_opened(host: str, shown: list[str]) -> None:
    assert _addresses(host) == shown


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_all_interfaces_are_told_with_this_machines_address_in_the_network(host: str) -> None:
    first, *others = _addresses(host)
    assert first == "localhost"
    assert all(ipaddress.ip_address(other) for other in others)
