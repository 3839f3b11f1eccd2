"""Where somebody comes from: what counts as one place."""

from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

HOST_BITS = 64  # of an IPv6 address: whoever has one has all that differ only there


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """An IPv4 address, or the network of an IPv6 one; anything else is a place by itself."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 128 - HOST_BITS), strict=False))
