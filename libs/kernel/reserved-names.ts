import { listCharacterProperties } from './characters.js';
import { toCompatibleText, computeNameSkeletons } from './name-rules.js';

const RESERVED_WORDS = [
  ...['agent job network', 'house', 'service', 'forgotten'],
  ...['admin', 'administrator', 'moderator', 'operator', 'official', 'support', 'system', 'staff', 'null', 'undefined'],
];
const NEUTRAL_WORDS = ['the', 'team', 'desk', 'bot', 'agent', 'account'];

/** Skeletons write `0` as `o`, `1` and `I` as `l`, and `m` as `rn`. */
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

function extractLetters(text: string): string {
  const normal = toCompatibleText(text);
  const characters = listCharacterProperties(normal);
  return Array.from(normal)
    .filter((_character, at) => characters[at]?.kind === 'letter')
    .join('');
}

const variantsOf = (text: string) => [text, text.replace(OUTER_DIGITS, ''), extractLetters(text)];

export const isReservedName = (name: string): boolean =>
  variantsOf(name)
    .flatMap(computeJoinedSkeletons)
    .some(likeness => RESERVED_NAME.test(likeness));

/** Also finds a reserved name among the words. Used for generated and suggested names. */
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
