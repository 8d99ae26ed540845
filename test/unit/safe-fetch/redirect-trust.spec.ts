import { expect, test } from '@jest/globals';
import { SafeFetch, type SafeFetchOptions } from '#libs/platform/safe-fetch/safe-fetch.js';

/** Simulates the network by URL, so that public servers can be tested offline. */
const answers: { [url: string]: object } = {
  'https://public.test/': { location: 'http://127.0.0.1:4321/' },
  'https://public.test/tls': { location: 'https://127.0.0.1:4321/' },
  'https://public.test/on': { location: 'https://other.test/' },
  'http://127.0.0.1:4321/': { location: 'http://127.0.0.1:4321/end' },
  'http://127.0.0.1:4321/out': { location: 'https://public.test/' },
  'http://127.0.0.1:4321/end': { ok: true },
  'https://other.test/': { ok: true },
};
const connected: string[] = [];

const requestHop = (async (url: URL, addresses: readonly string[]) => {
  connected.push(`${url.href} at ${addresses.join()}`);
  return answers[url.href];
}) as unknown as NonNullable<SafeFetchOptions['requestHop']>;
const reader = new SafeFetch({ allow: ['127.0.0.1:4321'], resolve: async () => ['8.8.8.8'], requestHop });

test('an untrusted server cannot redirect to an allowed private host', async () => {
  expect(await reader.fetch('https://public.test/')).toEqual({ ok: false, reason: 'not_https' });
  expect(await reader.fetch('https://public.test/tls')).toEqual({ ok: false, reason: 'private_address' });
  expect(connected.splice(0)).toEqual(['https://public.test/ at 8.8.8.8', 'https://public.test/tls at 8.8.8.8']);
});

test('an allowed host keeps its trust on redirects until one leads outside', async () => {
  expect(await reader.fetch('http://127.0.0.1:4321/')).toEqual({ ok: true });
  expect(await reader.fetch('http://127.0.0.1:4321/out')).toEqual({ ok: false, reason: 'not_https' });
});

test('a public server can redirect to another public server', async () => {
  expect(await reader.fetch('https://public.test/on')).toEqual({ ok: true });
});
