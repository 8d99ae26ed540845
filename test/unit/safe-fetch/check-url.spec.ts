import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '#libs/platform/safe-fetch/address.js';
import { AllowList } from '#libs/platform/safe-fetch/allow-list.js';
import { checkUrl } from '#libs/platform/safe-fetch/check-url.js';
import { PRIVATE_HOSTS } from './hostile-addresses.js';

describe('the URL check', () => {
  test.each([
    'https://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://münchen.example/ä',
    'HTTPS://EXAMPLE.COM./',
  ])('accepts %s', url => expect(checkUrl(url)).toBeNull());

  test.each([
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['https:example.com', 'malformed'],
    ['https://', 'malformed'],
    ['https:\\\\example.com', 'malformed'],
    ['https://example.com\\@10.0.0.1/', 'malformed'],
    [' https://example.com', 'malformed'],
    ['https://exa\nmple.com', 'malformed'],
    ['https://example.com/a b', 'malformed'],
    ['https://example.com:99999/', 'malformed'],
    ['file:///etc/passwd', 'malformed'],
    ['ftp://example.com/', 'malformed'],
    ['javascript:alert(1)', 'malformed'],
    ['http://example.com/', 'not_https'],
    ['https://user@example.com/', 'credentials'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://8.8.8.8@127.0.0.1/', 'credentials'],
    ['https://example.com:443@169.254.169.254/', 'credentials'],
    ['https://example.com%00.127.0.0.1/', 'malformed'],
    ['https://256.0.0.1/', 'malformed'],
    ['https://1.2.3.4.5/', 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    [`https://example.com/${'a'.repeat(481)}`, 'too_long'],
  ])('refuses %s', (url, reason) => expect(checkUrl(url)).toBe(reason));

  test('accepts 500 characters', () => {
    expect(checkUrl(`https://example.com/${'a'.repeat(480)}`)).toBeNull();
  });

  test.each(PRIVATE_HOSTS)('refuses the private address %s', host => {
    expect(checkUrl(`https://${host}/`)).toBe('private_address');
  });

  test('does not accept text that is not an address as a public address', () => {
    expect(['', 'example.com', '1.2.3.4.5', '8.8.8.8/8'].map(isPublicAddress)).toEqual([false, false, false, false]);
  });
});

describe('a host allowed by the operator', () => {
  const allow = new AllowList(['127.0.0.1:4321', ' LOCALHOST:80', '[::1]:443', 'files.internal:8443']);

  test.each([
    'http://127.0.0.1:4321/x',
    'https://127.0.0.1:4321/x',
    'http://2130706433:4321/',
    'http://localhost/',
    'https://[0:0:0:0:0:0:0:1]/',
    'http://files.internal.:8443/',
  ])('can be private and use plain http: %s', url => expect(checkUrl(url, allow)).toBeNull());

  test.each([
    ['http://127.0.0.1:4322/', 'not_https'],
    ['https://127.0.0.1/', 'private_address'],
    ['https://[::1]:444/', 'private_address'],
    ['http://user@localhost/', 'credentials'],
    ['http://localhost.example/', 'not_https'],
  ])('does not allow other hosts and ports: %s', (url, reason) => expect(checkUrl(url, allow)).toBe(reason));

  test.each(['localhost', 'localhost:', ':80', 'a b:80', 'http://localhost:80'])(
    'must be written as host:port, not %s',
    entry => {
      expect(() => new AllowList([entry])).toThrow('host:port');
    },
  );
});
