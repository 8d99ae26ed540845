import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291, 2.4): every other IPv6 address is for something local, special or not given out. */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** Addresses in public ranges where clouds answer their own machines about themselves. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether a stranger may make us connect to the address: only plain unicast of the public internet, so nothing private,
 * loopback, link-local, shared, multicast, reserved, nor an IPv6 form that carries an IPv4 address inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || METADATA.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_V6);
}

/** The literal address of a URL's host name, without brackets, or null where the host is a name. */
export function literalAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : null;
}
