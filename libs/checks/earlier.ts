import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, tidyName } from '#libs/kernel/names.js';
import { LINK_CHARACTERS_MAX } from '#libs/kernel/link.js';
import { check, type Check, readAs } from './check.js';
import { codePoints, hasControl } from './words.js';
import { urlOf } from '#libs/kernel/url.js';

/** Checks as they were: for the older rules of verbs, whose decisions stay right. */

/** A name of whatever characters. */
export const anyName: Check = readAs(
  check({
    schema: { type: 'string', minLength: NAME_CHARACTERS_MIN, maxLength: NAME_CHARACTERS_MAX },
    holds: value => {
      const characters = codePoints(anyTidyName(value));
      return characters >= NAME_CHARACTERS_MIN && characters <= NAME_CHARACTERS_MAX && !hasControl(value);
    },
    mustBe: `one line of ${NAME_CHARACTERS_MIN} to ${NAME_CHARACTERS_MAX} characters`,
  }),
  anyTidyName,
);

/** A mark of the order of bytes was a space like others. */
function anyTidyName(name: string): string {
  return tidyName(name.replaceAll('\ufeff', ' '));
}

/** An https address, kept as it came. */
export const rawLink: Check = check({
  schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: LINK_CHARACTERS_MAX },
  holds: value => value.length <= LINK_CHARACTERS_MAX && !hasControl(value) && urlOf(value)?.protocol === 'https:',
  mustBe: `an https address of at most ${LINK_CHARACTERS_MAX} characters`,
});
