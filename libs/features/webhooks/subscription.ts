import { textValidator, mapValidator } from '#libs/validation/field-validator.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { INBOX_KINDS } from '#libs/features/inbox/views/inbox-kinds.js';

/** Maximum number of kinds and types per webhook. */
const NAMES_MAX = 100;

const KINDS: ReadonlySet<string> = new Set(INBOX_KINDS);
const KIND_LIST = INBOX_KINDS.map(kind => `\`${kind}\``).join(', ');

const namesIn = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  ),
];
const isSubscribable = (name: string) => KINDS.has(name) || EVENT_TYPES.get(name)?.privateType === false;

/** Accepts comma-separated inbox kinds and public event types. */
export const subscription = mapValidator(
  textValidator({
    schema: { type: 'string' },
    accepts: text =>
      namesIn(text).length > 0 && namesIn(text).length <= NAMES_MAX && namesIn(text).every(isSubscribable),
    expectation: `1 to ${NAMES_MAX} comma-separated inbox kinds (${KIND_LIST}) or public event types (see /api/events/schema)`,
    fault: text => (namesIn(text).length > NAMES_MAX ? 'too_many' : 'unknown_value'),
  }),
  namesIn,
  'readonly string[]',
);

/** Only public types can be narrowed to one muse. */
export const publicTypes = (names: readonly string[]) => names.filter(name => !KINDS.has(name));
