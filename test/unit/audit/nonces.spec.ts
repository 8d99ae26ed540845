import { expect, test } from '@jest/globals';
import type { ExaminedEvent } from '#libs/audit/checks/check.js';
import { NonceCheck } from '#libs/audit/checks/nonces.js';
import { Findings } from '#libs/audit/findings.js';
import { NOW } from '../../given.js';

const authorization = { mode: 'signature', nonce: 'one', endpoint: 'pay', timestamp: String(NOW), public_key: 'k' };

interface Told {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly cause?: string;
  readonly payment?: string;
  readonly byService?: boolean;
}

function problems(...all: readonly Told[]): string {
  const findings = new Findings();
  const nonces = new NonceCheck(findings);
  for (const { id, type, stream, cause = 'request', payment, byService } of all) {
    const allowed = byService ? { mode: 'service', reason: 'told' } : authorization;
    const event = {
      id,
      type,
      stream,
      cause,
      decided_by: `${type}@1`,
      actor: 'agent_poster0000',
      at: NOW,
      data: { payment },
      authorization: allowed,
    };
    const readSignature = () => ({ message: 'the same message' });
    nonces.examine({ shown: event, opened: event, readSignature } as unknown as ExaminedEvent);
  }
  return findings.list.map(({ problem }) => problem).join(' ');
}

const accepted = (payment: string): Told => ({
  id: `accepted ${payment}`,
  type: 'PaymentAccepted',
  stream: `payment-${payment}`,
  payment,
});
const started = (payment: string): Told => ({
  id: `started ${payment}`,
  type: 'WageStarted',
  stream: 'hire-1',
  cause: `accepted ${payment}`,
});
const ended = (payment: string, type = 'PaymentExpired'): Told => ({
  id: `ended ${payment}`,
  type,
  stream: `payment-${payment}`,
  payment,
  byService: true,
});

test('a payment that ended without effect frees its nonce', () => {
  expect(problems(accepted('a'), started('a'), ended('a'), accepted('b'), started('b'))).toBe('');
});

test('a request runs once while its payment may settle and after it has settled', () => {
  const again = 'The request with the nonce one had already written an event of this type in this stream.';
  expect(problems(accepted('a'), started('a'), accepted('b'), started('b'))).toContain(again);
  const settled = ended('a', 'PaymentSettled');
  expect(problems(accepted('a'), started('a'), settled, accepted('b'), started('b'))).toContain(again);
});
