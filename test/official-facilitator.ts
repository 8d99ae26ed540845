import type { IncomingMessage, ServerResponse } from 'node:http';
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import { LocalServer } from './local-server.js';

const POLL_MS = 10;
const COINS = '0x56bc75e2d63100000';
const FACTORY = '0xba5ed110efdba3d005bfc882d75358acbbb85842';

type Settlement = Parameters<x402Facilitator['settle']>;

/** The official facilitator behind its HTTP protocol, with an account of its own on the chain of Base. */
export class OfficialFacilitator {
  readonly authorizations: (string | undefined)[] = [];
  /** `lost`: settles and closes the connection. `down`: 503. `refuses`: an answer of the protocol. */
  fault: 'none' | 'lost' | 'down' | 'refuses' = 'none';
  settlements = 0;

  private facilitator: Promise<x402Facilitator> | undefined;
  private readonly server = new LocalServer((request, response, body) => void this.handle(request, response, body));

  /** `rpc` is called at the first request. */
  private constructor(private readonly rpc: () => string) {}

  static async start(rpc: () => string): Promise<OfficialFacilitator> {
    const official = new OfficialFacilitator(rpc);
    await official.server.listen();
    return official;
  }

  get url(): string {
    return this.server.url;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async handle({ headers, url }: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    this.authorizations.push(headers.authorization);
    if (this.fault === 'down') return void response.writeHead(503).end();
    const answer = await this.answer(url!, body);
    if (this.fault === 'lost' && url === '/settle') return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  private async answer(path: string, body: string): Promise<unknown> {
    const facilitator = await (this.facilitator ??= openFacilitator(this.rpc()));
    if (path === '/supported') return facilitator.getSupported();
    const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
      paymentPayload: Settlement[0];
      paymentRequirements: Settlement[1];
    };
    if (path === '/verify') return facilitator.verify(paymentPayload, paymentRequirements);
    this.settlements += 1;
    if (this.fault === 'refuses')
      return { success: false, errorReason: 'unexpected_settle_error', transaction: '', network: 'eip155:8453' };
    return facilitator.settle(paymentPayload, paymentRequirements);
  }
}

async function openFacilitator(rpc: string): Promise<x402Facilitator> {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = createWalletClient({ account, chain: base, transport: http(rpc), pollingInterval: POLL_MS });
  await client.request({ method: 'anvil_setBalance', params: [account.address, COINS] } as never);
  const signer = toFacilitatorEvmSigner({ ...client.extend(publicActions), address: account.address } as never);
  const scheme = new ExactEvmScheme(signer, { eip6492AllowedFactories: [FACTORY] });
  return new x402Facilitator().register('eip155:8453', scheme);
}
