import { expect, test } from '@jest/globals';
import { AUTHORIZATION_USED, transferFault, TRANSFER } from '#libs/channels/pages/scripts/record/receipts.js';
import { RAILS } from '#libs/payments/rails.js';

const rail = RAILS.find(({ short }) => short === 'base')!;
const [PAYER, PAYEE, OTHER] = ['a1', 'b2', 'c3'].map(byte => `0x${byte.repeat(20)}`) as [string, string, string];
const NONCE = `0x${'d4'.repeat(32)}`;
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const amountOf = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`;

const terms = { rail, tx: '0x1', block: 7, amount: '10000000', authorization: `base:${rail.asset}:${PAYER}:${NONCE}` };
const used = { address: rail.asset, topics: [AUTHORIZATION_USED, word(PAYER), NONCE], data: '0x' };
const moved = { address: rail.asset, topics: [TRANSFER, word(PAYER), word(PAYEE)], data: amountOf(10_000_000n) };
const receipt = (logs: readonly object[], blockNumber = '0x7') => ({ status: '0x1', blockNumber, logs });
const NOT_MOVED = 'The transaction does not transfer this amount with this authorization.';

test('accepts a receipt with other logs around the authorization and the transfer', () => {
  expect(transferFault(receipt([used, moved]), terms)).toBeNull();
  expect(transferFault(receipt([moved, used, { ...moved, address: OTHER }, moved]), terms)).toBeNull();
});

test('compares addresses of a receipt without regard to case', () => {
  const [asset, payer] = [rail.asset.toLowerCase(), word(PAYER).toUpperCase().replace('0X', '0x')];
  const logs = [{ ...used, address: asset, topics: [AUTHORIZATION_USED, payer, NONCE] }, moved];
  expect(transferFault(receipt(logs), terms)).toBeNull();
});

test.each([null, undefined, 'no', {}])('reports an unknown transaction for the receipt %j', answer =>
  expect(transferFault(answer, terms)).toBe('The chain does not know the transaction 0x1.'),
);

test('reports a receipt of another block', () =>
  expect(transferFault(receipt([used, moved], '0x8'), terms)).toBe('It is in block 8, not 7.'));

test.each([
  ['nothing was logged', []],
  ['the authorization was used without a transfer', [used]],
  ['the amount moved without the authorization', [moved]],
  ['the amount moved before the authorization', [moved, used]],
  ['another token logged both', [used, moved].map(log => ({ ...log, address: OTHER }))],
  ['another nonce was used', [{ ...used, topics: [AUTHORIZATION_USED, word(PAYER), word(OTHER)] }, moved]],
  ['another payer was charged', [used, { ...moved, topics: [TRANSFER, word(OTHER), word(PAYEE)] }]],
  ['too little was moved', [used, { ...moved, data: amountOf(9_999_999n) }]],
  ['the amount cannot be read', [used, { ...moved, data: '0x' }]],
])('rejects a receipt if %s', (_what, logs) => expect(transferFault(receipt(logs), terms)).toBe(NOT_MOVED));

test('rejects an authorization without a payer', () => {
  expect(transferFault(receipt([used, moved]), { ...terms, authorization: '' })).toBe(NOT_MOVED);
});
