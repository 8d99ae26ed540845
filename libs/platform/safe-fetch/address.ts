import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291, 2.4): every other IPv6 address is for something local, special or not given out. */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const ISATAP = 0x5efe;
/** All but the bit that says whether the IPv4 address is unique in the world. */
const ISATAP_MASK = 0xfdff;
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
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_V6) && !isIsatap(address));
}

/** ISATAP (RFC 5214, 6.1): its interface part is an IPv4 address, which a router of the own network would be sent to. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & ISATAP_MASK) === 0 && parts[5] === ISATAP;
}

/** The literal address of a URL's host name, without brackets, or null where the host is a name. */
export function literalAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : null;
}
