import { listCharacterProperties } from './characters.js';
import { toCompatibleText, computeNameSkeletons } from './name-rules.js';

/** Names of the service, and roles that only its operator has. */
const RESERVED_WORDS = [
  ...['agent job network', 'house', 'service', 'forgotten'],
  ...['admin', 'administrator', 'moderator', 'operator', 'official', 'support', 'system', 'staff', 'null', 'undefined'],
];
/** Words beside a reserved one that leave its meaning. */
const NEUTRAL_WORDS = ['the', 'team', 'desk', 'bot', 'agent', 'account'];

/** How a name looks as one word. A likeness writes `0` as `o`, `1` and `I` as `l`, and `m` as `rn`. */
const computeJoinedSkeletons = (name: string) =>
  computeNameSkeletons(name).map(likeness =>
    likeness
      .replace(/[ _.@2-9-]/g, '')
      .replaceAll('rn', 'm')
      .replaceAll('i', 'l'),
  );
const alternatives = (words: readonly string[]) => words.flatMap(computeJoinedSkeletons).join('|');

const RESERVED_PATTERN = `(?:${alternatives(RESERVED_WORDS)})`;
const OPTIONAL_PATTERN = `(?:${alternatives([...NEUTRAL_WORDS, ...RESERVED_WORDS])})*`;
const OUTER_DIGITS = /^[0-9 ]+|[0-9 ]+$/g;
const RESERVED_NAME = new RegExp(`^${OPTIONAL_PATTERN}${RESERVED_PATTERN}${OPTIONAL_PATTERN}$`);

/** The letters of a text alone: digits, spaces and symbols do not make another name of a reserved one. */
function extractLetters(text: string): string {
  const normal = toCompatibleText(text);
  const characters = listCharacterProperties(normal);
  return Array.from(normal)
    .filter((_character, at) => characters[at]?.kind === 'letter')
    .join('');
}

const variantsOf = (text: string) => [text, text.replace(OUTER_DIGITS, ''), extractLetters(text)];

/** Whether a name imitates the service or its operator. */
export const isReservedName = (name: string): boolean =>
  variantsOf(name)
    .flatMap(computeJoinedSkeletons)
    .some(likeness => RESERVED_NAME.test(likeness));

/** Whether words of a name make a reserved one. No generated or suggested name does. */
export function hasReservedWords(name: string): boolean {
  const words = name
    .split(/[ _.@-]+/)
    .map(word => variantsOf(word).map(variant => computeJoinedSkeletons(variant)[0]!));
  return words[0]!.some((_variant, at) => {
    const likenesses = words.map(variants => variants[at]!);
    return likenesses.some((_first, from) =>
      likenesses.some((_last, to) => to >= from && RESERVED_NAME.test(likenesses.slice(from, to + 1).join(''))),
    );
  });
}
