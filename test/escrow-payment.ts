import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import { privateKeyToAccount } from 'viem/accounts';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { type HeaderFields, type RawAgent, type Reply, requireOk, textOf } from './raw-agent.js';
import { encodeBase64Json, readOffer } from './x402.js';

/** Pays the offer of an escrow with the scheme of the official client. */
export async function escrowHeader({ wallet, now }: RawAgent, offer: Reply): Promise<HeaderFields> {
  const client = new AuthCaptureEvmScheme(privateKeyToAccount(wallet.privateKey as `0x${string}`));
  const [accepted] = readOffer(offer).accepts;
  const clock = Date.now;
  const at = now();
  // The client takes the time of the computer, which a test may have moved for the service.
  Date.now = () => at;
  const { payload } = await client.createPaymentPayload(2, accepted as never).finally(() => (Date.now = clock));
  return { 'payment-signature': encodeBase64Json({ x402Version: 2, accepted, payload }) };
}

/** Funds the escrow of a hire and returns the answer. */
export async function fundHire(poster: RawAgent, fields: SignableFields): Promise<Reply> {
  const offer = await poster.post('hire', fields);
  return requireOk(await poster.post('hire', fields, await escrowHeader(poster, offer)));
}

export const ESCROWED = { budget_usd: '10', escrow: 'true' };

/** Posts a job with an escrow, for which the worker applies. Returns the fields of their hire. */
export async function applyForEscrow(poster: RawAgent, worker: RawAgent, terms: SignableFields = {}) {
  const role = await poster.postJob({ ...ESCROWED, ...terms });
  await worker.ok('apply', { role, note: 'Gladly.' });
  return { role, to: worker.museId };
}

/** Posts a job with an escrow, and hires a worker for it. */
export async function hireWithEscrow(poster: RawAgent, worker: RawAgent, terms: SignableFields = {}) {
  const fields = await applyForEscrow(poster, worker, terms);
  return { role: fields.role, hire: textOf(await fundHire(poster, fields), 'hire') };
}

/** Purchases whose payment a contract holds, by endpoint. */
export const ESCROW_PURCHASES = { hire: hireWithEscrow };
