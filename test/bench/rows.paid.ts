import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { Wallet } from 'ethers';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { type Child, serveService } from './child.js';
import type { Folder } from './folder.js';
import { rowOf, runPaired } from './paired.js';
import { onRail } from '../purchase-fixture.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import type { Row } from './report.js';
import { median } from './statistics.js';
import { readOffer, signPayload, encodePaymentV2 } from '../x402.js';

const PAYMENTS = 4;
const LOOK_MS = 10;
/** 100 native coins in hex. */
const COINS = '0x56bc75e2d63100000';

/** Compares a wallet verification payment with verify and settle of the official facilitator. */
export async function paid(folder: Folder): Promise<Row[]> {
  const service = await serveService(folder.of('paid'), 'dev');
  try {
    const facilitator = await openFacilitator(service.rpc!['base']!);
    const rounds = await runPaired({
      service: () => timed(service, payService),
      facilitator: () => timed(service, (payer, reply) => payFacilitator(facilitator, payer, reply)),
    });
    const name = "paid verify, against the official facilitator's verify + settle";
    return [rowOf(rounds, name, ['service', 'facilitator'], [1, 0.6], 'ms')];
  } finally {
    await service.stop();
  }
}

/** Median of sequential payments by different agents; only the payment itself is timed. */
async function timed(service: Child, pay: (payer: RawAgent, offer: Reply) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let payment = 0; payment < PAYMENTS; payment += 1) {
    const payer = new RawAgent(`http://127.0.0.1:${service.port}`);
    await payer.register(`Payer ${payer.publicKey.slice(0, 12)}`);
    await payer.post('join', { headline: 'Pays once' });
    await send(payer.url, '/api/faucet', { body: { wallet: payer.wallet.address } });
    const offer = await payer.post('verify', { wallet: payer.wallet.address });
    times.push(await pay(payer, onRail(offer, 'usdc-base')));
  }
  return median(times);
}

async function payService(payer: RawAgent, offer: Reply): Promise<number> {
  // Responds once settled and recorded, like the facilitator, without waiting for read models.
  const headers = {
    'payment-signature': encodePaymentV2(offer, await signPayload(payer.wallet, offer, Date.now())),
    'min-position': '0',
  };
  const body = payer.signed('verify', { wallet: payer.wallet.address });
  const start = performance.now();
  const { status, body: answer } = await payer.resend('verify', body, headers);
  if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(answer)}`);
  return performance.now() - start;
}

async function payFacilitator(facilitator: ExactEvmScheme, payer: RawAgent, offer: Reply): Promise<number> {
  const accepted = readOffer(offer).accepts[0]! as never;
  const paid = await signPayload(payer.wallet, offer, Date.now());
  const payment = { x402Version: 2, accepted, payload: paid as never };
  const start = performance.now();
  const verified = await facilitator.verify(payment, accepted);
  const settled = await facilitator.settle(payment, accepted);
  if (!verified.isValid || !settled.success) throw new Error(JSON.stringify({ verified, settled }));
  return performance.now() - start;
}

/** Official facilitator with its own account and fast polling for receipts. */
async function openFacilitator(rpc: string): Promise<ExactEvmScheme> {
  const account = privateKeyToAccount(Wallet.createRandom().privateKey as `0x${string}`);
  const client = createWalletClient({ account, chain: base, transport: http(rpc), pollingInterval: LOOK_MS });
  await client.request({ method: 'anvil_setBalance', params: [account.address, COINS] } as never);
  const signer = { ...client.extend(publicActions), address: account.address };
  return new ExactEvmScheme(toFacilitatorEvmSigner(signer as never));
}
