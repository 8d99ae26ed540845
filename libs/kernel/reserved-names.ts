import { charactersOf } from './characters.js';
import { compatible, likenessesOf } from './names.js';

/** Names of the service, and roles that only its operator has. */
const RESERVED = [
  ...['agent job network', 'house', 'service', 'forgotten'],
  ...['admin', 'administrator', 'moderator', 'operator', 'official', 'support', 'system', 'staff', 'null', 'undefined'],
];
/** Words beside a reserved one that leave its meaning. */
const BESIDE = ['the', 'team', 'desk', 'bot', 'agent', 'account'];

/** How a name looks as one word. A likeness writes `0` as `o`, `1` and `I` as `l`, and `m` as `rn`. */
const asOneWord = (name: string) =>
  likenessesOf(name).map(likeness =>
    likeness
      .replace(/[ _.@2-9-]/g, '')
      .replaceAll('rn', 'm')
      .replaceAll('i', 'l'),
  );
const alternatives = (words: readonly string[]) => words.flatMap(asOneWord).join('|');

const WORD = `(?:${alternatives(RESERVED)})`;
const BESIDES = `(?:${alternatives([...BESIDE, ...RESERVED])})*`;
const OUTER_DIGITS = /^[0-9 ]+|[0-9 ]+$/g;
const RESERVED_NAME = new RegExp(`^${BESIDES}${WORD}${BESIDES}$`);

/** The letters of a text alone: digits, spaces and symbols do not make another name of a reserved one. */
function lettersOf(text: string): string {
  const normal = compatible(text);
  const characters = charactersOf(normal);
  return Array.from(normal)
    .filter((_character, at) => characters[at]?.kind === 'letter')
    .join('');
}

const variantsOf = (text: string) => [text, text.replace(OUTER_DIGITS, ''), lettersOf(text)];

/** Whether a name imitates the service or its operator. */
export const isReserved = (name: string): boolean =>
  variantsOf(name)
    .flatMap(asOneWord)
    .some(likeness => RESERVED_NAME.test(likeness));

/** Whether words of a name make a reserved one. No generated or suggested name does. */
export function holdsReserved(name: string): boolean {
  const words = name.split(/[ _.@-]+/).map(word => variantsOf(word).map(variant => asOneWord(variant)[0]!));
  return words[0]!.some((_variant, at) => {
    const likenesses = words.map(variants => variants[at]!);
    return likenesses.some((_first, from) =>
      likenesses.some((_last, to) => to >= from && RESERVED_NAME.test(likenesses.slice(from, to + 1).join(''))),
    );
  });
}
