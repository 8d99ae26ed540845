import ipaddr from 'ipaddr.js';

/** Network part of an IPv6 address. A machine chooses the other bits freely (RFC 7934). */
const NETWORK_BITS = 64;
/** Prefix lengths that an IPv6 customer may get (RFC 6177). */
const WIDER_BITS = [56, 48] as const;
const UNNAMED = 'unnamed';
const WITH_PORT = /^\[([^\]]*)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/;

export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? [];
  const ip = bracketed ?? withPort ?? text;
  return ipaddr.isValid(ip) ? ipaddr.process(ip) : null;
}

export function clientAddress(ip: string): string {
  const address = parseAddress(ip);
  if (!address) return UNNAMED;
  return isIpv6(address) ? prefixOf(address, NETWORK_BITS) : address.toString();
}

export function widerNetworks(ip: string): string[] {
  const address = parseAddress(ip);
  return address && isIpv6(address) ? WIDER_BITS.map(bits => prefixOf(address, bits)) : [];
}

const isIpv6 = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 => address.kind() === 'ipv6';

const prefixOf = (address: ipaddr.IPv6, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
