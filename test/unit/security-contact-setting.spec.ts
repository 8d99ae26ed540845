import { expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';

const contactOf = (text: string) => readSettings({ SECURITY_CONTACT: text }).securityContact;

test.each(['mailto:security@example.org', 'https://example.org/security', 'tel:+1-201-555-0123'])(
  'a security contact can be %s',
  contact => expect(contactOf(contact)).toBe(contact),
);

test('the security contact defaults to null', () => expect(contactOf('')).toBeNull());

test.each([
  'security@example.org',
  'http://example.org/security',
  'https://',
  'mailto:security@example.org\nExpires: never',
])('refuses %j as a security contact and names the setting', contact => {
  expect(() => contactOf(contact)).toThrow(/SECURITY_CONTACT.*must be an address that begins with/s);
});
