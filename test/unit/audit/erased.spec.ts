import { describe, expect, test } from '@jest/globals';
import { describeDifference } from '#libs/audit/decisions/replayed-decision.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { Authorization, Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { asEvents } from '../../given.js';
import { told } from '../features/worlds.js';

const delivery = { url: 'https://files.example/page', note: 'Both pages.' };
const decided = told('Delivered', delivery);
const byToken = (sealed: object | null) =>
  ({ mode: 'bearer', token: '0'.repeat(16), endpoint: 'deliver', sealed }) as Authorization;

/** Difference between a replayed delivery and its stored form. */
function found(stored: { readonly [name: string]: unknown }, authorization: Authorization): string | null {
  const shown = { ...asEvents([told('Delivered', stored)], Hire.streamName(1))[0]!, authorization };
  const inClear = Object.entries(shown.data as JsonObject).map(([name, value]): [string, unknown] => {
    const sealed = value as { readonly sealed?: string; readonly value?: unknown } | null;
    return [name, sealed?.sealed === undefined ? value : (sealed.value ?? null)];
  });
  const opened: Event = { ...shown, data: Object.fromEntries(inClear) };
  return describeDifference(decided, opened, { ...shown, digest: '' } as unknown as PublicEvent);
}

describe('a value missing from a stored event', () => {
  test('counts as erased if all values under the same key are missing', () => {
    expect(found({ url: null, note: null }, byToken(null))).toBeNull();
    expect(found({ url: null, note: null }, { mode: 'service', reason: 'a test' })).toBeNull();
  });

  test('is a difference if another value under the same key is present', () => {
    const note = { sealed: 'sealed', value: delivery.note };
    expect(found({ url: null, note }, byToken(null))).toBe('Its url differs from the replayed decision.');
    expect(found({ url: null, note: { sealed: 'sealed' } }, byToken(null))).toBe(
      'Its url differs from the replayed decision.',
    );
    expect(found({ url: null, note: null }, byToken({ fields: {} }))).toBe(
      'Its url differs from the replayed decision.',
    );
  });
});
