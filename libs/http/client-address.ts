import ipaddr from 'ipaddr.js';

/** Of an IPv6 address, the bits that name a network: one machine chooses the others at will (RFC 7934). */
const NETWORK_BITS = 64;
/** Who a proxy names by something that is no address. All of them are one. */
const UNNAMED = 'unnamed';

/** The network address that limits count by: an IPv4 address, or the network of an IPv6 one. */
export function clientAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return UNNAMED;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`;
}
