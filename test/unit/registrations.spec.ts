import { describe, expect, test } from '@jest/globals';
import { buildTools } from '#libs/channels/mcp/tool.js';
import { ROUTES } from '#libs/service/routes.js';
import { AuditMismatch, type Decision } from '#libs/endpoints/decision.js';
import { DECISIONS } from '#libs/service/decision-table.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { findSamples } from '../vectors/event-samples.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { findDifference, needsNewStory } from '../world/record-decisions.js';
import { REGISTRATIONS } from '../registrations.js';

test.each(Object.entries(REGISTRATIONS))('no registration is missing: %s', async (_kind, findMissing) => {
  expect(await findMissing()).toEqual([]);
});

test('every tool belongs to a single endpoint', () => {
  const names = [...ROUTES.writes, ...ROUTES.reads].flatMap(({ describe }) => describe.tool?.name ?? []);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
  expect(buildTools(ROUTES).size).toBe(names.length);
});

describe('npm run missing', () => {
  const connect = DECISIONS.get('connect@1') as Decision;

  test('a rule that decides otherwise than recorded is named with its first case', () => {
    const decide = () => {
      throw new Refusal('not_found', 'Not found.');
    };
    expect(findDifference({ ...connect, decide })).toMatch(
      /^decides otherwise in \d+ recorded cases, first \(the request itself\) {"refused":"not_found"}, not {"facts":\[/,
    );
  });

  test('a decision that reads a field which is not recorded is named', () => {
    const fields = { ...connect.request!.fields, note: connect.request!.fields.to! };
    expect(findDifference({ ...connect, request: { ...connect.request!, fields } })).toBe(
      'differs from its recorded fields: note',
    );
  });

  test('a decision whose recorded event contradicts its rule needs a new story', () => {
    const decide = () => {
      throw new AuditMismatch('a member is missing');
    };
    expect([needsNewStory(connect), needsNewStory({ ...connect, decide })]).toEqual([false, true]);
  });

  test('an event sealed otherwise than its sample, or without one, is named', () => {
    const connected = EVENT_TYPES.get('Connected')!;
    const seals = { ...connected.seals, personal: ['to'] };
    expect(
      findSamples([
        { ...connected, seals },
        { ...connected, type: 'Pinned' },
      ]),
    ).toMatchObject({
      missing: ['Pinned.v1.json'],
      outdated: ['Connected@1'],
    });
  });
});
