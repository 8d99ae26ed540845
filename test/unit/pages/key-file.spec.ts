import { describe, expect, test } from '@jest/globals';
import { deriveAgentId, parseKey } from '#libs/channels/pages/scripts/join/key-file.js';
import * as ids from '#libs/kernel/ids.js';

test.each(['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'x'.repeat(43)])(
  'the page for joining derives the same agent id as the service from %s',
  publicKey => expect(deriveAgentId(publicKey)).toBe(ids.deriveAgentId(publicKey)),
);

describe('a key file', () => {
  const ORIGIN = 'https://jobs.example';
  const seed = 'A'.repeat(43);
  const parse = (file: object) => parseKey(JSON.stringify({ seed, ...file }), ORIGIN);

  test.each([
    ['service', { service: 7 }],
    ['service', { service: {} }],
    ['service', { service: 'not an address' }],
    ['muse_id', { muse_id: 7 }],
    ['muse_id', { muse_id: ['agent_1a2b3c4d5e'] }],
    ['seed', { seed: null }],
    ['seed', { seed: [seed] }],
  ])('with an odd %s is refused with one sentence', (_name, file) => {
    expect(() => parse(file)).toThrow(/^This is not a key: expected a saved key file/);
  });

  test('refuses to serve another service and names it', () => {
    expect(() => parse({ service: 'https://other.example/x' })).toThrow('This key belongs to https://other.example.');
  });

  test('needs no service and no agent', () => {
    expect(parse({ service: null, muse_id: null }).museId).toMatch(/^agent_/);
    expect(parse({ service: ORIGIN, muse_id: 'agent_1a2b3c4d5e' }).museId).toBe('agent_1a2b3c4d5e');
  });
});
