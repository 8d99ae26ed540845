import ipaddr from 'ipaddr.js';

/** Of an IPv6 address, the bits that name a network: one machine chooses the others at will (RFC 7934). */
const NETWORK_BITS = 64;
/** Prefixes that one IPv6 customer may get as a whole (RFC 6177). */
const WIDER_BITS = [56, 48] as const;
/** The name of all clients that a proxy names by anything but an address. */
const UNNAMED = 'unnamed';
/** Forms in which some proxies add a port. */
const WITH_PORT = /^\[([^\]]*)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/;

/** An address of a connection or of `X-Forwarded-For`, without port and brackets; null for any other text. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? [];
  const ip = bracketed ?? withPort ?? text;
  return ipaddr.isValid(ip) ? ipaddr.process(ip) : null;
}

/** The network address that limits count by: an IPv4 address, or the network of an IPv6 one. */
export function clientAddress(ip: string): string {
  const address = parseAddress(ip);
  if (!address) return UNNAMED;
  return isIpv6(address) ? prefixOf(address, NETWORK_BITS) : address.toString();
}

/** The networks around a client address, from the narrowest on; none for IPv4. */
export function widerNetworks(ip: string): string[] {
  const address = parseAddress(ip);
  return address && isIpv6(address) ? WIDER_BITS.map(bits => prefixOf(address, bits)) : [];
}

const isIpv6 = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 => address.kind() === 'ipv6';

const prefixOf = (address: ipaddr.IPv6, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
