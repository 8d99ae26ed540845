import { describe, expect, test } from '@jest/globals';
import { id } from 'ethers';
import { findUseInLogs } from '#libs/payments/authorization-use.js';
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER, addressTopic } from '#libs/payments/eip3009.js';
import { raiseFees, parseFees } from '#libs/payments/gas.js';
import { classifyRefusal, revertReason } from '#libs/payments/node-refusals.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Log } from '#libs/payments/rpc-values.js';

const rail = RAILS[1]!;
const PAYER = `0x${'aa'.repeat(20)}`;
const PAYEE = `0x${'bb'.repeat(20)}`;
const NONCE = id('nonce');
const TX = id('transaction');
const authorization = { from: PAYER, to: PAYEE, value: '5', validAfter: '0', validBefore: '9', nonce: NONCE };

function log(topics: readonly string[], data = '0x', address = rail.asset.toLowerCase()): Log {
  return { address, topics, data, transactionHash: TX, blockNumber: 7 };
}

const amount = (units: number): string => `0x${units.toString(16).padStart(64, '0')}`;
const used = log([AUTHORIZATION_USED, addressTopic(PAYER), NONCE]);
const canceled = log([AUTHORIZATION_CANCELED, addressTopic(PAYER), NONCE]);
const transfer = (to = PAYEE, units = 5) => log([TRANSFER, addressTopic(PAYER), addressTopic(to)], amount(units));
const foreign = log([TRANSFER, addressTopic(PAYER), addressTopic(PAYEE)], amount(5), PAYEE);

const paid = (...logs: Log[]) => findUseInLogs(rail, authorization, logs)?.paid ?? null;

describe('an authorization used in a transaction', () => {
  test('is paid if the next log of the token is the exact transfer', () => {
    expect(findUseInLogs(rail, authorization, [used, transfer()])).toEqual({ tx: TX, block: 7, paid: true });
    expect(paid(transfer(PAYEE, 1), used, foreign, transfer())).toBe(true);
  });

  test('is not paid if another token log comes next or none follows', () => {
    expect(paid(used, transfer(PAYER), transfer())).toBe(false);
    expect(paid(transfer(), used)).toBe(false);
    expect(paid(used, foreign)).toBe(false);
  });

  test('is not paid if the amount, payee or event differs', () => {
    expect(paid(used, transfer(PAYEE, 4))).toBe(false);
    expect(paid(used, transfer(PAYER))).toBe(false);
    expect(paid(canceled, transfer())).toBe(false);
  });

  test('is unused without a token log for this payer and nonce', () => {
    expect(paid(transfer())).toBeNull();
    expect(paid(log([AUTHORIZATION_USED, addressTopic(PAYEE), NONCE]), transfer())).toBeNull();
    expect(paid(log([AUTHORIZATION_USED, addressTopic(PAYER), id('other')]), transfer())).toBeNull();
    expect(paid({ ...used, address: PAYEE }, transfer())).toBeNull();
  });
});

describe('responses of a node', () => {
  const refusal = (message: string, code = -32_000, data?: unknown) => ({ code, message, data });

  test.each([
    ['already known', 'known'],
    ['transaction already imported', 'known'],
    ['nonce too low: next nonce 3, tx nonce 2', 'refused'],
    ['replacement transaction underpriced', 'refused'],
    ['insufficient funds for gas * price + value', 'refused'],
    ['max fee per gas less than block base fee', 'refused'],
    ['unknown transaction', 'unknown'],
    ['limit exceeded', 'unknown'],
    ['Internal error', 'unknown'],
  ])('the error “%s” means %s', (message, meaning) => {
    expect(classifyRefusal(refusal(message))).toBe(meaning);
  });

  test('only a revert has a reason', () => {
    expect(revertReason(refusal('execution reverted', 3, id('InvalidSignature()').slice(0, 10)))).toBe(
      'InvalidSignature',
    );
    expect(revertReason(refusal('execution reverted', 3, '0x12345678'))).toBe('0x12345678');
    expect(revertReason(refusal('execution reverted: no', -32_000))).toBe('execution reverted: no');
    expect(revertReason(refusal('header not found'))).toBeNull();
  });

  test('fees follow the fee history, or the gas price without a history', () => {
    const history = { result: { baseFeePerGas: ['0x1', '0x64'], reward: [['0x5f5e100']] } };
    expect(parseFees([history, { result: '0x7' }])).toEqual({ maxFee: 100_000_200n, tip: 100_000_000n });
    expect(parseFees([{ refusal: refusal('Method not found') }, { result: '0x7' }])).toEqual({ maxFee: 14n, tip: 7n });
    expect(() => parseFees([{ refusal: refusal('no') }, { refusal: refusal('no') }])).toThrow();
  });

  test('a replacement raises both fees by an eighth, rounded up', () => {
    expect(raiseFees({ maxFee: 10n, tip: 1n }, 1_001n)).toEqual({ maxFee: 1_127n, tip: 1_127n });
    expect(raiseFees({ maxFee: 5_000n, tip: 1n }, 1_001n)).toEqual({ maxFee: 5_000n, tip: 5_000n });
  });
});
