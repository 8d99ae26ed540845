import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { PublicEvent } from '#libs/audit/public-event.js';

/** What a check found. `because` says in a sentence why something cannot be told, or does not hold. */
export interface CheckOutcome {
  readonly state: 'holds' | 'broken' | 'untold';
  readonly because?: string;
  /** What was compared: names and values. */
  readonly compared: readonly ComparedValue[];
  /** What the reader can do to have it checked, where that costs something. */
  readonly more?: { readonly label: string; readonly run: () => Promise<CheckOutcome> };
}
export type ComparedValue = readonly [name: string, value: string];

/** A key of the service and when it signed, in unix ms. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

/** What the page shows, and what is asked for once and looked at by several checks. */
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
  /** What the service says of the delivery's address. */
  readonly live: string;
  readonly issuerKeys: () => Promise<readonly IssuerKey[]>;
  /** Every event of the streams that the record names. */
  readonly events: () => Promise<readonly PublicEvent[]>;
}

/** An event that the record names. */
export interface NamedEvent {
  readonly type: string;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
}

/** A value in a sentence or beside another one: a text as it is. */
export const valueText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

export const namedEvents = ({ record }: Pick<CheckContext, 'record'>) =>
  (record['states'] ?? []) as unknown as readonly NamedEvent[];

export const holds = (compared: readonly ComparedValue[]): CheckOutcome => ({ state: 'holds', compared });
export const broken = (because: string, compared: readonly ComparedValue[] = []): CheckOutcome => ({
  state: 'broken',
  because,
  compared,
});
export const untold = (because: string, compared: readonly ComparedValue[] = []): CheckOutcome => ({
  state: 'untold',
  because,
  compared,
});
