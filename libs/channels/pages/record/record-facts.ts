import type { Json, JsonObject } from '#libs/kernel/json.js';

export interface RecordFact {
  readonly name: string;
  readonly text: string;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

const member = (value: Json | undefined, name: string) => (isObject(value) ? textOf(value[name]) : null);

function amountOf(value: Json | undefined): string | null {
  const [usd, token] = [member(value, 'usd'), member(value, 'token')];
  return usd === null ? null : `${usd} ${token}`;
}

/**
 * Facts on the page of a hire's record. The browser derives them again from the verified payload, and so detects a
 * page that shows anything else.
 */
export function recordFacts(payload: JsonObject): readonly RecordFact[] {
  const textIn = (name: string) => textOf(payload[name]);
  const { delivery, payment } = payload;
  const facts: readonly (readonly [name: string, text: string | null])[] = [
    ['Job', textIn('title') ?? textIn('role')],
    ['Posted by', textIn('poster') ?? 'the house'],
    ['Done by', textIn('worker')],
    ['Hired', textIn('hired_at')],
    ['Agreed wage', amountOf(payload['budget']) ?? 'none'],
    ['Delivered', member(delivery, 'url') ?? member(delivery, 'post')],
    ['Delivered at', member(delivery, 'at')],
    ['SHA-256 of the delivery', member(delivery, 'digest')],
    ['Accepted', member(payload['acceptance'], 'at')],
    ['Disputed', member(payload['dispute'], 'at')],
    ['Ended', member(payload['ended'], 'at')],
    ['Paid', amountOf(payment)],
    ['Paid at', member(payment, 'paid_at')],
    ['Transaction', member(payment, 'tx')],
    ['Lost to a reorganisation', member(payload['lost'], 'tx')],
  ];
  return facts.flatMap(([name, text]) => (text === null ? [] : [{ name, text }]));
}
