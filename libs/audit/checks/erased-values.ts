import { holderOf } from '#libs/features/public-events/views/public-events.js';
import type { Position } from '#libs/kernel/event.js';
import { isJsonObject, type Json, type JsonObject } from '#libs/kernel/json.js';
import type { RequestRules } from '#libs/audit/request-rules.js';
import { Erasures } from '#libs/audit/erasures.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { Check, ExaminedEvent } from './check.js';

/** An event that shows a value after its erasure. */
export interface ErasedValue {
  readonly event: Pick<PublicEvent, 'id' | 'position' | 'stream' | 'revision' | 'type'>;
  /** Position of the event before it. */
  readonly after: Position;
  /** Time of the erasure, unix ms. */
  readonly erasedAt: number;
  readonly name: string;
}

interface ShownValues extends Pick<ErasedValue, 'event' | 'after'> {
  readonly actor: string;
  readonly holder: string | undefined;
  readonly names: readonly string[];
}

/** Finds values that are still shown, although one of the first events of the log erases them. */
export class ErasedValueCheck implements Check {
  private readonly shown: ShownValues[] = [];
  private readonly erasures = new Erasures();
  private count = 0;
  private last: Position = '';

  /** `size`: number of events that the service had before it was asked for them. */
  constructor(
    private readonly size: number,
    private readonly requests: RequestRules | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    const after = this.last;
    this.last = shown.position;
    this.count += 1;
    if (!opened) return;
    const names = shownNames(shown, this.requests);
    const { id, position, stream, revision, type, actor } = shown;
    const event = { id, position, stream, revision, type };
    if (names.length > 0) this.shown.push({ event, after, actor, holder: holderOf(shown), names });
    if (this.count <= this.size) this.erasures.record(opened);
  }

  *find(): Generator<ErasedValue> {
    for (const { event, after, actor, holder, names } of this.shown) {
      const forgottenAt = this.erasures.forgottenAt.get(actor);
      const cleared = this.erasures.clearedIn(holder);
      const name = forgottenAt === undefined ? names.find(each => event.position < (cleared[each] ?? '')) : names[0]!;
      if (name !== undefined)
        yield { event, after, name, erasedAt: forgottenAt ?? this.erasures.clearedAt.get(cleared[name]!)! };
    }
  }
}

/**
 * Names of sealed values, and of the request fields, that the feed shows. An empty field tells nothing, and a field that
 * the endpoint does not declare is cleared with the whole request only.
 */
export function shownNames(
  { data, authorization }: Pick<PublicEvent, 'data' | 'authorization'>,
  requests: RequestRules | null,
): string[] {
  const { endpoint, ...members } = authorization as JsonObject;
  const { fields: payment, ...values } = readValues(data as JsonObject);
  const { sealed: request } = readValues(members);
  const declared = requests?.fieldsOf(endpoint);
  const sent = [...filledFields(payment), ...filledFields(Object(request)['fields'] as Json)];
  return [...Object.keys(values), ...sent.map(name => (declared?.has(name) === false ? 'request' : name))];
}

const readValues = (members: JsonObject): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      isJsonObject(value) && typeof value['sealed'] === 'string' && (value['value'] ?? null) !== null
        ? [[name, value['value']!]]
        : [],
    ),
  );

const filledFields = (fields: Json | undefined): string[] =>
  isJsonObject(fields) ? Object.keys(fields).filter(name => fields[name] !== '') : [];
