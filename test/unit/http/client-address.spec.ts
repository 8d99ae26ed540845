import { expect, test } from '@jest/globals';
import { clientAddress, widerNetworks } from '#libs/http/limiting/caller-addresses.js';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['192.0.2.1:51234', '192.0.2.1'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['[192.0.2.1]:443', '192.0.2.1'],
  ['192.0.2.1:port', 'unnamed'],
  ['[2001:db8::1', 'unnamed'],
  ['[]:80', 'unnamed'],
  ['a proxy says so', 'unnamed'],
  ['', 'unnamed'],
])('rate limits count %j as %j', (ip, address) => expect(clientAddress(ip)).toBe(address));

test.each([
  ['192.0.2.1', []],
  ['a proxy says so', []],
  ['2001:db8:1:2ff:3:4:5:6', ['2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['[2001:db8:1:2ff::1]:443', ['2001:db8:1:200::/56', '2001:db8:1::/48']],
])('the networks of %j are %j', (ip, networks) => expect(widerNetworks(ip)).toEqual(networks));
