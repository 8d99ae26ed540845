import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AnyEventType, StreamType } from '#libs/domain/define.js';
import type { Fact } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';

/** Candidates for a string with a pattern; the first match is used. */
const TEXTS = ['agent_worker0000', '1', '1'.repeat(64), `0x${'1'.repeat(40)}`, `0x${'1'.repeat(64)}`, 'A'.repeat(43)];

interface Keywords {
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly type?: string;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly items?: TSchema;
  readonly properties?: { readonly [name: string]: TSchema };
}

function exampleOf(schema: TSchema): Json {
  const { anyOf, enum: values, const: value, type, minimum = 0, pattern, items, properties } = schema as Keywords;
  if (anyOf) return exampleOf(anyOf[0]!);
  if (values) return values[0]!;
  if (value !== undefined) return value;
  if (items) return [exampleOf(items)];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, exampleOf(of)]));
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (type !== 'string') return null;
  if (pattern === undefined) return 'An example.';
  const text = TEXTS.find(each => Compile(schema).Check(each));
  if (text === undefined) throw new Error(`test/vectors/example-facts.ts has no text for the pattern ${pattern}.`);
  return text;
}

/** Makes a fact of an event type from its schema. */
export function exampleFact({ type, version, schema }: AnyEventType): Fact {
  return { type, version, data: exampleOf(schema) };
}

/** Examples of event types that a story lacks. */
export const exampleFacts = (streams: readonly StreamType[], story: readonly { readonly fact: Fact }[]) =>
  streams.flatMap(({ category, events }) =>
    events
      .filter(({ type }) => !story.some(({ fact }) => fact.type === type))
      .map(type => ({ actor: 'service', stream: `${category}-example`, fact: exampleFact(type) })),
  );
