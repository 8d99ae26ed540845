import { textValidator, mapValidator } from '#libs/validation/field-validator.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { INBOX_KINDS } from '#libs/features/inbox/views/inbox-kinds.js';

/** How many kinds and types one hook names. */
const NAMES_MAX = 100;

const KINDS: ReadonlySet<string> = new Set(INBOX_KINDS);
const NAMED = INBOX_KINDS.map(kind => `\`${kind}\``).join(', ');

const namesIn = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ),
];
const isKnown = (name: string) => KINDS.has(name) || EVENT_TYPES.get(name)?.privateType === false;

/** Comma separated kinds of inbox items and types of public events. */
export const subscription = mapValidator(
  textValidator({
    schema: { type: 'string' },
    accepts: text => namesIn(text).length > 0 && namesIn(text).length <= NAMES_MAX && namesIn(text).every(isKnown),
    expectation: `1 to ${NAMES_MAX} comma separated kinds of inbox items (${NAMED}) or types of public events (see /api/events/schema)`,
    fault: text => (namesIn(text).length > NAMES_MAX ? 'too_many' : 'unknown_value'),
  }),
  namesIn,
  'readonly string[]',
);

/** Those of them that are public: only these are narrowed to one muse. */
export const publicTypes = (names: readonly string[]) => names.filter(name => !KINDS.has(name));
