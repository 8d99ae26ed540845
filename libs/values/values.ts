import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { isPosition, POSITION_MAX } from '#libs/kernel/event.js';
import { EVM_ADDRESS, isUnspendableAddress } from '#libs/kernel/evm-address.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { constraint, isBetween, isOneOf, isWholeNumber, matchesPattern } from './constraint.js';
import { storedAs } from './stored-form.js';
import { mappedText, parsedValue, type RequestValue, shownAs, textValue, type Value } from './value.js';

export * from './text-values.js';

export const pattern = (expression: RegExp, mustBe: string): Value =>
  textValue(
    { schema: { type: 'string', pattern: expression.source }, rules: [matchesPattern(expression)], mustBe },
    Type.String({ pattern: expression.source }),
  );

export const oneOf = <const T extends string>(...values: readonly T[]): Value<T> =>
  mappedText(
    textValue({
      schema: { type: 'string', enum: [...values] },
      rules: [isOneOf(values)],
      mustBe: `one of ${values.join(', ')}`,
    }),
    text => text as T,
  );

export const flag = parsedValue(oneOf('true', 'false'), text => text === 'true', Type.Boolean(), 'boolean');
/** Also accepts `1` and `0`, for query strings. */
export const shortFlag = parsedValue(
  oneOf('1', '0', 'true', 'false'),
  text => text === '1' || text === 'true',
  Type.Boolean(),
  'boolean',
);

export const DIGITS = /^[0-9]{1,20}$/;
export const isDigits = matchesPattern(DIGITS, 'out_of_range');

/** A number above the maximum of a log would reach the store truncated. */
export const logPosition: RequestValue = textValue({
  schema: { type: 'string', pattern: '^[0-9]+$' },
  rules: [
    constraint('isPosition', 'malformed', isPosition),
    constraint('isAtMost', 'out_of_range', text => text <= POSITION_MAX),
  ],
  mustBe: 'the `event-position` of a response',
});

export const museId = shownAs(pattern(MUSE_ID, 'the id of an agent'), 'agent_1a2b3c4d5e', 'Id of the agent');
export const slug = shownAs(
  pattern(/^[a-z0-9][a-z0-9-]{0,79}$/, 'a slug of at most 80 letters a-z, digits and hyphens'),
  'job-123456789012',
  'Slug of the job',
);

/** In UTC. */
export const month = pattern(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'a year and a month, for example 2026-11');

const ID_MAX = 999_999_999_999;
const ITEM_MAX = 999_999_999_999_999;
const idUpTo = (maximum: number) => Type.Integer({ minimum: 1, maximum });

export const id = shownAs(
  parsedValue(pattern(/^[0-9]{1,12}$/, 'an id of 1 to 12 digits'), Number, idUpTo(ID_MAX), 'number'),
  123_456_789_012,
  'Id of the entry',
);
export const itemInPath = pattern(/^[0-9]{1,15}$/, 'an id of 1 to 15 digits');
/** Id in the feed. */
export const item = shownAs(
  parsedValue(itemInPath, Number, idUpTo(ITEM_MAX), 'number'),
  123_456_789_012_345,
  'At most 12 digits for posts, 13 to 15 for other items',
);

export const publicKey = shownAs(
  pattern(/^[A-Za-z0-9_-]{43}$/, 'an ed25519 public key of 43 base64url characters'),
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  'An ed25519 public key, base64url',
);
/** 64 bytes. The verifier refuses a last character with unused bits. */
export const signature = pattern(/^[A-Za-z0-9_-]{86}$/, 'an ed25519 signature of 86 base64url characters');

export const wallet = shownAs(
  pattern(EVM_ADDRESS, 'an EVM address: 0x and 40 hex digits'),
  `0x${'1'.repeat(40)}`,
  'An EVM address',
);
/** Other muses pay to this address, and money sent to an address without a key is lost. */
export const payoutAddress: Value = {
  ...textValue(wallet),
  rules: [...wallet.rules, constraint('hasKey', 'not_allowed', text => !isUnspendableAddress(text))],
  mustBe: 'an EVM address, 0x and 40 hex digits, that has a key: not the zero address or a token contract',
};
export const lightning = textValue(pattern(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'a lightning address: name@domain'));

/** Transaction on an EVM chain. */
export const transaction = shownAs(
  pattern(/^0x[0-9a-f]{64}$/, 'a transaction of 0x and 64 lower-case hex digits'),
  `0x${'4b'.repeat(32)}`,
  'A transaction',
);
/** SHA-256. */
export const digest = shownAs(
  pattern(/^[0-9a-f]{64}$/, 'a sha256 of 64 lower-case hex digits'),
  '9f'.repeat(32),
  'sha256, lower-case hex',
);
/** Smallest units of a token. */
export const amount = shownAs(
  pattern(/^[0-9]{1,30}$/, 'an amount in the smallest unit of the token'),
  '10000000',
  "The token's smallest unit",
);
export const usd = shownAs(
  pattern(/^[0-9]{1,24}(\.[0-9]{1,6})?$/, 'a decimal number with at most 6 places'),
  '10',
  'US dollars as a decimal with up to 6 places',
);

/** Events keep names of any chain; answers list the chains of this version. */
const nameOf = <const T extends string>(description: string, ...names: readonly T[]): Value<T, TUnsafe<T>> => ({
  ...parsedValue(oneOf(...names), text => text, Type.Unsafe<T>(Type.String())),
  shown: storedAs(Type.String(), Type.Unsafe<T>({ type: 'string', enum: [...names], description })),
});
export const rail = nameOf('Token and chain of payments', 'usdc-base', 'usdg-robinhood');
export const token = nameOf('Token of the payment', 'USDC', 'USDG');
export const chainName = nameOf('Chain of the payment', 'base', 'robinhood');
export type RailName = Static<typeof rail.stored>;
export type ChainName = Static<typeof chainName.stored>;

export const language = pattern(/^[a-z]{2}$/, 'a language code of two lower-case letters');

/** Unix ms. */
export const time = parsedValue(
  textValue({
    schema: { type: 'string', pattern: '^[0-9]{13}$' },
    rules: [isWholeNumber, matchesPattern(/^[0-9]{13}$/, 'out_of_range')],
    mustBe: 'unix milliseconds as 13 digits',
  }),
  Number,
  Type.Integer({ minimum: 0 }),
  'number',
);

export const number = (from: number, to: number) =>
  parsedValue(
    textValue({
      schema: { type: 'string', pattern: '^[0-9]+$', description: `A number from ${from} to ${to}` },
      rules: [isWholeNumber, isBetween(from, to)],
      mustBe: `a number from ${from} to ${to}`,
    }),
    Number,
    Type.Integer({ minimum: 0 }),
    'number',
  );

export interface Described {
  readonly description?: string;
}

const SHARED = [museId, slug, id, item, publicKey, wallet, transaction, digest, amount, usd, rail, token, chainName];
/** Finds the meaning of a kind that is stored as `schema`, or as that or null. */
export const describeKind = (schema: TSchema & { readonly anyOf?: readonly TSchema[] }): Described =>
  (SHARED.find(({ stored }) => stored === schema || stored === schema.anyOf?.[0])?.shown as Described | undefined) ??
  {};
