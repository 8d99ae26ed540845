import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291, 2.4). */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const ISATAP = 0x5efe;
const ISATAP_MASK = 0xfdff;
/** Metadata services of clouds in public ranges. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Whether strangers may make us connect to the address: plain public unicast, without an embedded IPv4 address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || METADATA.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_V6) && !isIsatap(address));
}

/** ISATAP (RFC 5214, 6.1) embeds an IPv4 address, which may be of the local network. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & ISATAP_MASK) === 0 && parts[5] === ISATAP;
}

export function literalAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : null;
}
