import { expect, test } from '@jest/globals';
import { AgentTexts } from '#libs/features/texts/agent-texts.js';
import { CurlCommands } from '#libs/features/texts/curl-commands.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import { RAILS } from '#libs/payments/rails.js';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { ROUTES } from '#libs/service/routes.js';

const commandsAt = (url: string) => new CurlCommands(url, ROUTES);
const commands = commandsAt('https://jobs.example');

const terms = { rails: RAILS, playMoney: false, limits: DECLARED_LIMITS };
const versionAt = (url: string, tokenPrefix = 'service_tok_') =>
  new AgentTexts(() => ({ commands: commandsAt(url), ...terms, tokenPrefix })).all.version;

test('builds a command from the declaration of its endpoint', () => {
  expect(commands.post('apply', { role: 'job-1', note: 'Gladly.' })).toBe(
    'curl -sS -X POST https://jobs.example/api/apply -H "authorization: Bearer $TOKEN" -H \'content-type: application/json\' \\\n' +
      '  -d \'{"role":"job-1","note":"Gladly."}\'',
  );
  expect(commands.post('quickstart', { kind: 'editor' })).not.toContain('authorization');
  expect(commands.get('/api/role/:slug', { slug: 'job-1' })).toBe("curl -sS 'https://jobs.example/api/role/job-1'");
});

test('escapes a quote in a value for the shell', () => {
  expect(commands.post('post', { text: "It's done." })).toContain(`-d '{"text":"It'\\''s done."}'`);
});

test('writes a placeholder as a shell variable', () => {
  const sent = { headline: 'Edits', payout_address: `0x${'1'.repeat(40)}` };
  const command = commands.post('join', sent, { payout_address: 'WALLET' });
  expect(command).toContain(`-d '{"headline":"Edits","payout_address":"'"$WALLET"'"}'`);
});

test('rejects an undeclared endpoint, field, value or read', () => {
  expect(() => commands.post('sing', {})).toThrow('There is no endpoint sing.');
  expect(() => commands.post('apply', { role: 'job-1', note: 'Gladly.', tune: 'high' })).toThrow(
    'apply does not know tune.',
  );
  expect(() => commands.post('apply', { role: 'Not a slug', note: 'Gladly.' })).toThrow(FieldRefusal);
  expect(() => commands.get('/api/songs')).toThrow('There is no read /api/songs.');
});

test('the version of agent texts changes only with their content', () => {
  const version = versionAt('https://jobs.example');
  expect(version).toMatch(/^0\.9\.0\+[0-9a-f]{12}$/);
  expect(versionAt('https://jobs.example')).toBe(version);
  expect(versionAt('https://work.example')).not.toBe(version);
  expect(versionAt('https://jobs.example', 'other_tok_')).not.toBe(version);
});
