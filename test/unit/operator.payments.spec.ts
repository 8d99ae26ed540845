import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { checkPayments } from '#apps/operator/doctor/payments.js';
import { listPayments, sumByState } from '#apps/operator/payments.js';
import { payments } from '#apps/operator/payments.js';
import {
  Payment,
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentLost,
  PaymentRefused,
  PaymentSettled,
} from '#libs/domain/payment.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { readSettings } from '#libs/setup/settings.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { asEvents, NOW } from '../given.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { makeFolder } from '../temporary-folder.js';

const TX = `0x${'a'.repeat(64)}`;
const PAYER = `0x${'1'.repeat(40)}`;
const ENDINGS: { readonly [payment: string]: (payment: string) => Fact[] } = {
  waiting: () => [],
  done: payment => [settled(payment), applied(payment, 'applied', null)],
  owed: payment => [settled(payment), applied(payment, 'void', 'role_closed')],
  failing: payment => [settled(payment)],
  gone: payment => [settled(payment), applied(payment, 'applied', null), lost(payment)],
  late: payment => [PaymentExpired({ payment, block: 9 })],
  never: payment => [PaymentRefused({ payment, reason: 'insufficient_funds' })],
};
const settled = (payment: string) => PaymentSettled({ payment, tx: TX, block: 7 });
const applied = (payment: string, outcome: 'applied' | 'void', reason: string | null) =>
  PaymentApplied({ payment, muse_id: 'agent_payer00000', endpoint: 'job', outcome, reason });

const lost = (payment: string) => {
  const of = { payment, muse_id: 'agent_payer00000', endpoint: 'job', tx: TX, block: 40 };
  return PaymentLost({ ...of, reason: 'authorization_expired', undone: false });
};

const accepted = (payment: string) =>
  PaymentAccepted({
    payment,
    endpoint: 'job',
    muse_id: 'agent_payer00000',
    rail: 'usdc-base',
    payer: PAYER,
    nonce: TX,
    amount: '1500000',
    valid_after: '0',
    valid_before: '9',
    block: 5,
    pay_to: PAYER,
    signature: '0x',
    fields: {},
    subject: null,
    owner: 'muse-agent_payer00000',
    things: [],
    request_commitment: 'a'.repeat(64),
    request_salt: 'b'.repeat(64),
  });

const folder = makeFolder();
const settings = () => readSettings({ DATA_DIR: folder, TEST_CLOCK_FILE: join(folder, 'clock') });

beforeAll(async () => {
  const log = SqliteEventLog.open(join(folder, 'events.db'));
  const vault = SqliteVault.open(join(folder, 'vault.db'));
  const journal = new Journal(log, new Codec(new MuseKeys(vault), EVENT_TYPES));
  for (const [payment, ending] of Object.entries(ENDINGS)) {
    const stream = Payment.streamName(payment);
    await journal.append(stream, 'none', asEvents([accepted(payment), ...ending(payment)], stream));
  }
  await Promise.all([log.close(), vault.close()]);
});

/** Sets the clock of the service to a time after the payments. */
const later = (ms: number) => writeFileSync(join(folder, 'clock'), String(NOW + ms - Date.now()));

test('lists the final state of each payment and the totals by state', async () => {
  const log = SqliteEventLog.open(join(folder, 'events.db'));
  const all = await listPayments(log);
  await log.close();
  expect(all.map(({ id, state, tx, reason }) => [id, state, tx, reason])).toEqual([
    ['waiting', 'open', null, null],
    ['done', 'settled', TX, null],
    ['owed', 'void', TX, 'role_closed'],
    ['failing', 'open', TX, 'not_applied'],
    ['gone', 'lost', TX, 'authorization_expired'],
    ['late', 'expired', null, null],
    ['never', 'refused', null, 'insufficient_funds'],
  ]);
  expect(sumByState(all)).toMatchObject({ void: { count: 1, usd: '1.5' }, lost: { count: 1, usd: '1.5' } });
  const { text } = await payments(settings());
  expect(text).toContain('2 open (3 USD), 1 settled (1.5 USD), 1 void (1.5 USD)');
  expect(text.split('\n')).toHaveLength(9);
});

test('the doctor reports owed payments and payments that stay open too long', async () => {
  later(MINUTE_MS);
  expect((await checkPayments(settings())).map(({ ok, sentence }) => [ok, sentence])).toEqual([
    [false, expect.stringContaining('after their purpose was gone: 1.5 USD by agent_payer00000 for job (owed)')],
    [false, expect.stringContaining('by a reorganisation of their chain: 1.5 USD by agent_payer00000 for job (gone)')],
  ]);
  later(11 * MINUTE_MS);
  await new Promise(resolve => setTimeout(resolve, 50));
  const checks = await checkPayments(settings());
  expect(checks[0]).toMatchObject({ ok: false, sentence: expect.stringContaining('(waiting)') });
  expect(checks[0]!.advice).toContain('not_applied');
  for (const { advice } of checks) expect(advice).toBeTruthy();
});
