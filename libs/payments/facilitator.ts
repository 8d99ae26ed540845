import type { HTTPFacilitatorClient } from '@x402/core/server';
import type { SettleError, VerifyError } from '@x402/core/types';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { type Rail, TransactionRejected } from './chain.port.js';
import { commonTerms, type SignedPayment } from './scheme.js';

const TIMEOUT_MS = 10_000;
const SERVER_ERROR_MIN = 500;

interface EndpointHeaders {
  readonly [name: string]: string;
}

export interface FacilitatorSettings {
  readonly url: string;
  /** Headers of authentication by endpoint. */
  readonly headers: { readonly [endpoint in 'verify' | 'settle' | 'supported']?: EndpointHeaders };
  readonly timeoutMs?: number;
}

/** A remote x402 facilitator, which checks payments and sends them. */
export class Facilitator {
  private client: Promise<HTTPFacilitatorClient> | undefined;
  private readonly supported = new LRUCache<'networks', readonly string[]>({
    max: 1,
    ttl: MINUTE_MS,
    fetchMethod: () => this.readNetworks(),
  });

  constructor(private readonly settings: FacilitatorSettings) {}

  /** Reason why the facilitator would refuse the payment, or null. */
  async verify(rail: Rail, payment: SignedPayment): Promise<string | null> {
    const { payload, requirements } = settlementOf(rail, payment);
    try {
      const { isValid, invalidReason } = await (await this.open()).verify(payload, requirements);
      return isValid ? null : (invalidReason ?? 'the facilitator refuses it');
    } catch (error) {
      if (isRefusal<VerifyError>(error)) return error.invalidReason ?? 'the facilitator refuses it';
      throw new Unavailable('The facilitator', { cause: error });
    }
  }

  /**
   * Returns the transaction that the facilitator names; its outcome is read from the chain. Throws
   * `TransactionRejected`, or `Unavailable` if the outcome is unknown.
   */
  async settle(rail: Rail, payment: SignedPayment): Promise<string> {
    const { payload, requirements } = settlementOf(rail, payment);
    try {
      const { transaction, errorReason } = await (await this.open()).settle(payload, requirements);
      if (transaction) return transaction;
      throw new TransactionRejected(errorReason ?? 'the facilitator refused the payment');
    } catch (error) {
      if (error instanceof TransactionRejected) throw error;
      if (isRefusal<SettleError>(error)) {
        if (error.transaction) return error.transaction;
        throw new TransactionRejected(error.errorReason ?? error.message);
      }
      throw new Unavailable('The facilitator', { cause: error });
    }
  }

  /** Networks on which it settles payments of the scheme `exact`, as of the last minute. */
  networks(): Promise<readonly string[]> {
    return this.supported.forceFetch('networks');
  }

  private async readNetworks(): Promise<readonly string[]> {
    try {
      const { kinds } = await (await this.open()).getSupported();
      return kinds.filter(({ scheme }) => scheme === 'exact').map(({ network }) => network);
    } catch (cause) {
      throw new Unavailable('The facilitator', { cause });
    }
  }

  /** Loaded on first use to keep the start fast. */
  private open(): Promise<HTTPFacilitatorClient> {
    return (this.client ??= import('@x402/core/server').then(({ HTTPFacilitatorClient: Client }) => {
      const { url, headers, timeoutMs = TIMEOUT_MS } = this.settings;
      const { verify = {}, settle = {}, supported = {} } = headers;
      return new Client({ url, timeoutMs, createAuthHeaders: async () => ({ verify, settle, supported }) });
    }));
  }
}

/** A refusal of the protocol. An answer of 5xx says nothing about the payment. */
const isRefusal = <E extends VerifyError | SettleError>(error: unknown): error is E =>
  error instanceof Error && 'statusCode' in error && Number(error.statusCode) < SERVER_ERROR_MIN;

function settlementOf(rail: Rail, { signature, ...authorization }: SignedPayment) {
  const price = { amount: BigInt(authorization.value), payTo: authorization.to };
  const requirements = { ...commonTerms('exact', price, rail), extra: { ...rail.domain } };
  const payload = { x402Version: 2, accepted: requirements, payload: { authorization, signature } };
  return { payload, requirements };
}
