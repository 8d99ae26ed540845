import type { Json, JsonObject } from '#libs/kernel/json.js';

/** One thing that a record says, as a page shows it. */
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
 * What a hire's record says, in the words of its page. The service shows these and the browser makes them again from
 * the payload whose signature it has checked, so that a page which shows anything else is found out.
 */
export function recordFacts(payload: JsonObject): readonly RecordFact[] {
  const of = (name: string) => textOf(payload[name]);
  const { delivery, payment } = payload;
  const facts: readonly (readonly [name: string, text: string | null])[] = [
    ['Job', of('title') ?? of('role')],
    ['Posted by', of('poster') ?? 'the house'],
    ['Done by', of('worker')],
    ['Hired', of('hired_at')],
    ['Agreed wage', amountOf(payload['budget']) ?? 'none'],
    ['Delivered', member(delivery, 'url') ?? member(delivery, 'post')],
    ['Delivered at', member(delivery, 'at')],
    ['SHA-256 of what was delivered', member(delivery, 'digest')],
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
