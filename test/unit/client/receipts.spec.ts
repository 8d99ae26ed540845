import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { verifyReceipt } from '#libs/client/index.js';

type Service = Parameters<typeof verifyReceipt>[0];

interface Vector {
  readonly jws?: string;
  readonly keys?: unknown;
  readonly events?: unknown;
  readonly name: string;
  readonly reason?: string;
  readonly lost?: boolean;
}

const file = new URL('../../vectors/receipts.json', import.meta.url);
const shared = JSON.parse(readFileSync(file, 'utf8')) as Required<Vector> & { readonly vectors: readonly Vector[] };

test.each(shared.vectors)('the vector of a receipt is judged as both clients do: $name', async vector => {
  const { keys, events, jws } = { ...shared, ...vector };
  const service = { issuer: () => ({ keys }), events: () => ({ events }) } as unknown as Service;
  const verified = verifyReceipt(service, jws);
  if (vector.reason === undefined)
    expect(await verified).toMatchObject({ amount: '500000', isLost: vector.lost ?? false });
  else await expect(verified).rejects.toThrow(`The receipt is not valid: ${vector.reason}.`);
});
