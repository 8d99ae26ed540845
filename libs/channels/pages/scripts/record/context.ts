import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { PublicEvent } from '#libs/audit/public-event.js';

/**
 * `absent`: the check does not apply to this record. `skipped`: a page cannot make it. `unchecked`: it failed, or a proof
 * is missing. `because` says why a check does not hold.
 */
export interface CheckOutcome {
  readonly state: 'holds' | 'broken' | 'absent' | 'skipped' | 'unchecked';
  readonly because?: string;
  /** Names a skipped check and the reason in the verdict. */
  readonly skipped?: string;
  readonly compared: readonly ComparedValue[];
  /** A costly check that runs only on request. */
  readonly more?: { readonly label: string; readonly run: () => Promise<CheckOutcome> };
}
export type ComparedValue = readonly [name: string, value: string];

/** A key of the service with its time of use, in unix ms. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

/** Content of the page, and shared requests of the checks. */
export interface CheckContext {
  readonly shown: readonly ComparedValue[];
  readonly payload: string;
  readonly record: JsonObject;
  readonly signature: string;
  readonly kid: string;
  /** First line of signed messages. */
  readonly tag: string;
  /** Whether the service runs on a development chain. */
  readonly playMoney: boolean;
  /** The service's result for the address of the delivery. */
  readonly live: string;
  readonly issuerKeys: () => Promise<readonly IssuerKey[]>;
  /** All events of the streams in the record. */
  readonly events: () => Promise<readonly PublicEvent[]>;
}

export interface NamedEvent {
  readonly type: string;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
}

export const valueText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

export const namedEvents = ({ record }: Pick<CheckContext, 'record'>) =>
  (record['states'] ?? []) as unknown as readonly NamedEvent[];

export const holds = (compared: readonly ComparedValue[]): CheckOutcome => ({ state: 'holds', compared });
const failing =
  (state: Exclude<CheckOutcome['state'], 'holds' | 'skipped'>) =>
  (because: string, compared: readonly ComparedValue[] = []): CheckOutcome => ({ state, because, compared });
export const broken = failing('broken');
export const absent = failing('absent');
export const unchecked = failing('unchecked');
export const skipped = (name: string, because: string, compared: readonly ComparedValue[] = []): CheckOutcome => ({
  state: 'skipped',
  skipped: name,
  because,
  compared,
});

/** Wallets reject with plain objects too (EIP-1193). */
export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' && message !== '' ? message : 'It gave no reason.';
}
