import unhomoglyph from 'unhomoglyph';
import { foldCase, type CharacterProperties, findCharacterProperties, listCharacterProperties } from './characters.js';
import { deriveBase36 } from './ids.js';

export const NAME_CHARACTERS_MIN = 2;
export const NAME_CHARACTERS_MAX = 40;
export const SUFFIX_CHARACTERS = 4;
const BASE = 36;

const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

export const normaliseName = (name: string) => name.replace(SPACES, ' ').replace(/^ | $/g, '');

export const deriveNameSuffix = (...parts: (string | number)[]) => deriveBase36(SUFFIX_CHARACTERS, 'suffix', ...parts);

export function appendNameSuffix(name: string, ...parts: (string | number)[]): string {
  const end = deriveNameSuffix(...parts);
  const characters = [...name].slice(0, NAME_CHARACTERS_MAX - SUFFIX_CHARACTERS - 1);
  const stem = normaliseName(characters.join(''));
  const withLetters = `${stem} ${end}`;
  return isValidName(withLetters) ? withLetters : `${stem} ${suffixToDigits(end)}`;
}

const suffixToDigits = (end: string) =>
  String(Number.parseInt(end, BASE) % 10 ** SUFFIX_CHARACTERS).padStart(SUFFIX_CHARACTERS, '0');

/** Marks and invisible characters make names differ that look alike. */
function stripMarks(text: string): string {
  const visible = [...text.normalize('NFD')].filter(character => {
    const properties = findCharacterProperties(character.codePointAt(0)!);
    return isVisible(properties) && properties.kind !== 'mark';
  });
  return visible.join('');
}

/** Letters that NFKC does not unframe: negative circled and squared letters, regional indicators, and `UP`. */
const FRAMED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}\u{1f199}]/gu;
const FRAMED_A = [0x1f1e6, 0x1f170, 0x1f150];

function unframeLetter(framed: string): string {
  const codePoint = framed.codePointAt(0)!;
  const start = FRAMED_A.find(each => each <= codePoint)!;
  return framed === '\u{1f199}' ? 'UP' : String.fromCharCode('A'.charCodeAt(0) + codePoint - start);
}

export const toCompatibleText = (text: string) => text.normalize('NFKC').replace(FRAMED, unframeLetter);

const toPlainName = (name: string) => stripMarks(normaliseName(toCompatibleText(name))).normalize('NFKC');

export const foldName = (name: string): string => normaliseName(foldCase(toPlainName(name)));

/** Replaces each character by the one it resembles (UTS 39, skeleton), and folds case. */
const skeleton = (text: string) => foldCase(stripMarks(unhomoglyph(text.normalize('NFD'))));

/**
 * Returns the skeletons of the folded and of the written name (`I` looks like `l`, `m` like `rn`). Names that share one
 * look alike.
 */
export function computeNameSkeletons(name: string): string[] {
  return [...new Set([skeleton(foldName(name)), skeleton(toPlainName(name))])];
}

/** Ids of jobs, tasks, A2A tasks, webhook messages, muses and posts. `o` and `l` imitate digits. */
const ID =
  /^(?:(?:job|instant|offer)-(?=.*[0-9])[0-9ol]+|offer-[0-9a-fol]{24}|agent_[a-z0-9]{10}|(?:msg|muse)_[a-z0-9]{4,40}|(?=.*[0-9])[0-9ol]{12,15})$/;

const isSimilarToId = (name: string) =>
  [foldName(name), ...computeNameSkeletons(name)].some(
    likeness => ID.test(likeness) || ID.test(likeness.replaceAll('rn', 'm')),
  );

const CHECK_MARK =
  /[\u221a\u237b\u23b7\u2611\u2705\u2713\u2714\u{10102}\u{1d93f}-\u{1d941}\u{1d977}\u{1f5f8}\u{1f5f9}\u{1fbb1}]/u;

/** Katakana that look like a check mark as the last word. */
const CHECK_MARK_WORD = /[ _.@-][\u30ec\u31fe]$/;

/** Expects a normalised name: visible characters, one script, no check mark, not like an id. */
export function isValidName(name: string): boolean {
  const characters = listCharacterProperties(name);
  if (characters.length < NAME_CHARACTERS_MIN || characters.length > NAME_CHARACTERS_MAX) return false;
  if (!characters.every(isVisible) || !characters.some(isLetterNumberOrSymbol) || characters[0]!.kind === 'mark')
    return false;
  const hasCheckMark = CHECK_MARK.test(name) || CHECK_MARK_WORD.test(name.normalize('NFKC'));
  return isHighlyRestrictive(characters) && !hasCheckMark && !isSimilarToId(name);
}

const isVisible = (character: CharacterProperties | null): character is CharacterProperties =>
  character !== null && character.kind !== 'unseen';
const isLetterNumberOrSymbol = ({ kind }: CharacterProperties) =>
  kind === 'letter' || kind === 'number' || kind === 'symbol';

const SCRIPT_COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** "Highly restrictive" (UTS 39, section 5.2). */
function isHighlyRestrictive(characters: readonly CharacterProperties[]): boolean {
  const sets = characters.flatMap(({ scripts }) => (scripts === null ? [] : [scripts]));
  const [first] = sets;
  if (first === undefined) return true;
  const candidates = [...[...first].map(script => [script]), ...SCRIPT_COMBINATIONS];
  return candidates.some(candidate => sets.every(set => candidate.some(script => set.has(script))));
}

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
