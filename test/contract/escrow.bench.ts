import { expect } from '@jest/globals';
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import {
  Contract,
  type ContractTransactionReceipt,
  Interface,
  type JsonRpcProvider,
  toBeHex,
  Wallet,
  ZeroAddress,
} from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { Payer, type Price } from '#libs/client/payer.js';
import { decodePaymentHeader, encodePaymentHeader } from '#libs/client/payment-headers.js';
import { ServiceClock } from '#libs/client/service-clock.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { RAILS } from '#libs/payments/rails.js';
import { Token } from '../token.js';
import { ERRORS, type EscrowValues } from './escrow.values.js';

export const BASE = RAILS.find(({ short }) => short === 'base')!;
export const AMOUNT = 10_000_000n;
const DAY_SECONDS = 86_400;

type Signer = ConstructorParameters<typeof AuthCaptureEvmScheme>[0];

export interface Authorized {
  readonly info: Record<string, unknown>;
  readonly signature: string;
  readonly nonce: string;
}

/** An operator, a payer and a receiver at the escrow contracts of one version. */
export class EscrowBench {
  readonly address: string;
  readonly collector: string;
  readonly iface: Interface;
  readonly receiver = Wallet.createRandom().address;
  readonly escrow: Contract;
  private readonly token: Token;

  private constructor(
    private readonly provider: JsonRpcProvider,
    rpc: string,
    readonly values: EscrowValues,
    readonly operator: Wallet,
    readonly payer: Wallet,
  ) {
    ({ escrow: this.address, collector: this.collector } = ESCROW_CONTRACTS[values.version]);
    this.iface = new Interface(values.abi);
    this.escrow = this.as(operator);
    this.token = new Token(rpc, BASE.name);
  }

  static async start(dev: DevChain, provider: JsonRpcProvider, values: EscrowValues): Promise<EscrowBench> {
    const [operator, payer] = [await fundedAccount(provider), await fundedAccount(provider)];
    await dev.fundWallet(payer.address);
    return new EscrowBench(provider, dev.rpc['base']!, values, operator, payer);
  }

  as(account: Wallet): Contract {
    return new Contract(this.address, this.values.abi, account);
  }

  /** Pays an offer with the official client and rebuilds the `PaymentInfo` that it signed. */
  async pay(signer: Signer = privateKeyToAccount(this.payer.privateKey as `0x${string}`)): Promise<Authorized> {
    const captureDeadline = (await this.newestSecond()) + DAY_SECONDS;
    const { payload } = await new AuthCaptureEvmScheme(signer).createPaymentPayload(2, this.offer(captureDeadline));
    return this.authorizedBy(signer.address, payload, captureDeadline);
  }

  /** Pays an offer with the client of this project. */
  async payWithOwnClient(): Promise<Authorized> {
    const captureDeadline = (await this.newestSecond()) + DAY_SECONDS;
    const resource = { url: 'https://jobs.example/api/hire', description: 'A wage.', mimeType: 'application/json' };
    const header = encodePaymentHeader({ x402Version: 2, resource, accepts: [this.offer(captureDeadline)] });
    const guard = { commit: ({ heldUntil }: Price) => expect(heldUntil).toBe(captureDeadline) };
    const clock = new ServiceClock(Date.now);
    const payer = new Payer(async () => this.payer, guard, clock, [BASE.name]);
    const { payload } = decodePaymentHeader((await payer.pay(header)).header) as { readonly payload: object };
    return this.authorizedBy(this.payer.address, payload, captureDeadline);
  }

  private authorizedBy(payer: string, payload: object, captureDeadline: number): Authorized {
    const { authorization, signature, salt } = payload as {
      readonly authorization: { readonly [name: string]: string };
      readonly signature: string;
      readonly salt: string;
    };
    const terms = { from: payer, to: this.collector, value: String(AMOUNT), validAfter: '0' };
    expect(authorization).toMatchObject(terms);
    const info = {
      operator: this.operator.address,
      payer,
      receiver: this.receiver,
      token: BASE.asset,
      maxAmount: AMOUNT,
      preApprovalExpiry: BigInt(authorization['validBefore']!),
      authorizationExpiry: BigInt(captureDeadline),
      refundExpiry: BigInt(captureDeadline),
      minFeeBps: 0n,
      maxFeeBps: 0n,
      feeReceiver: ZeroAddress,
      salt: BigInt(salt),
    };
    return { info, signature, nonce: authorization['nonce']! };
  }

  authorize({ info, signature }: Authorized, amount = AMOUNT): Promise<ContractTransactionReceipt> {
    return this.call('authorize', info, amount, this.collector, signature);
  }

  captureAll(info: object): Promise<ContractTransactionReceipt> {
    return this.call('capture', info, AMOUNT, 0, ZeroAddress);
  }

  reclaim(info: object): Promise<ContractTransactionReceipt> {
    return confirmed(this.as(this.payer).getFunction('reclaim')(info));
  }

  call(name: string, ...values: readonly unknown[]): Promise<ContractTransactionReceipt> {
    return confirmed(this.escrow.getFunction(name)(...values));
  }

  async refused(sent: Promise<unknown>, name: string): Promise<void> {
    const [feeError, feeSelector] = this.values.feeError;
    const selector = name === feeError ? feeSelector : ERRORS[name as keyof typeof ERRORS];
    await expect(sent).rejects.toMatchObject({ data: expect.stringMatching(`^${selector}`) });
  }

  store(): Promise<string> {
    return this.escrow.getFunction('getTokenStore')(this.operator.address) as Promise<string>;
  }

  /** Returns those of payer, receiver and the operator's store. */
  async balances(): Promise<bigint[]> {
    const wallets = [this.payer.address, this.receiver, await this.store()];
    return Promise.all(wallets.map(wallet => this.token.balanceOf(wallet)));
  }

  topics({ logs }: ContractTransactionReceipt): (string | undefined)[] {
    return logs.filter(({ address }) => address === this.address).map(({ topics }) => topics[0]);
  }

  async newestSecond(): Promise<number> {
    return (await this.provider.getBlock('latest'))!.timestamp;
  }

  private offer(captureDeadline: number) {
    return {
      scheme: 'auth-capture',
      network: 'eip155:8453' as const,
      amount: String(AMOUNT),
      asset: BASE.asset,
      payTo: this.receiver,
      maxTimeoutSeconds: 300,
      extra: {
        ...BASE.domain,
        captureAuthorizer: this.operator.address,
        feeRecipient: ZeroAddress,
        captureDeadline,
        refundDeadline: captureDeadline,
        minFeeBps: 0,
        maxFeeBps: 0,
        authCaptureEscrow: this.address,
        paymentFlow: 'escrow',
        captureMode: 'deferred',
      },
    };
  }
}

export async function fundedAccount(provider: JsonRpcProvider): Promise<Wallet> {
  const wallet = new Wallet(Wallet.createRandom().privateKey, provider);
  await provider.send('anvil_setBalance', [wallet.address, toBeHex(10n ** 18n)]);
  return wallet;
}

const confirmed = async (sent: Promise<{ wait(): Promise<ContractTransactionReceipt | null> }>) =>
  (await (await sent).wait())!;
