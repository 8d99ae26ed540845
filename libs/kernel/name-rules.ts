import unhomoglyph from 'unhomoglyph';
import { foldCase } from './case-folding.js';
import { type CharacterProperties, findCharacterProperties, listCharacterProperties } from './characters.js';
import { deriveBase36 } from './ids.js';

export const NAME_CHARACTERS_MIN = 2;
export const NAME_CHARACTERS_MAX = 40;
export const SUFFIX_CHARACTERS = 4;
/** Of the letters and digits in a suffix. */
const BASE = 36;

/** Characters that are a space, or end a line. */
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** A name as it is kept: leading, trailing and doubled spaces folded. */
export const normaliseName = (name: string) => name.replace(SPACES, ' ').replace(/^ | $/g, '');

/** Characters that tell two of the same name apart. */
export const deriveNameSuffix = (...parts: (string | number)[]) => deriveBase36(SUFFIX_CHARACTERS, 'suffix', ...parts);

/** The name with characters behind it that tell it apart: digits where Latin letters do not stand beside its own. */
export function appendNameSuffix(name: string, ...parts: (string | number)[]): string {
  const end = deriveNameSuffix(...parts);
  const characters = [...name].slice(0, NAME_CHARACTERS_MAX - SUFFIX_CHARACTERS - 1);
  const stem = normaliseName(characters.join(''));
  const withLetters = `${stem} ${end}`;
  return isValidName(withLetters) ? withLetters : `${stem} ${suffixToDigits(end)}`;
}

/** As many digits, from what a suffix says. */
const suffixToDigits = (end: string) =>
  String(Number.parseInt(end, BASE) % 10 ** SUFFIX_CHARACTERS).padStart(SUFFIX_CHARACTERS, '0');

/** Without marks over or under a letter, and what nobody sees: with them names differ and look alike. */
function stripMarks(text: string): string {
  const kept = [...text.normalize('NFD')].filter(character => {
    const known = findCharacterProperties(character.codePointAt(0)!);
    return isVisible(known) && known.kind !== 'mark';
  });
  return kept.join('');
}

/** Letters that NFKC leaves in their frames: negative circled, negative squared, regional indicators, and `UP`. */
const FRAMED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}\u{1f199}]/gu;
const FRAMED_A = [0x1f1e6, 0x1f170, 0x1f150];

function unframeLetter(framed: string): string {
  const codePoint = framed.codePointAt(0)!;
  const start = FRAMED_A.find(each => each <= codePoint)!;
  return framed === '\u{1f199}' ? 'UP' : String.fromCharCode('A'.charCodeAt(0) + codePoint - start);
}

/** NFKC, with framed letters as plain letters. */
export const toCompatibleText = (text: string) => text.normalize('NFKC').replace(FRAMED, unframeLetter);

const toPlainName = (name: string) => stripMarks(normaliseName(toCompatibleText(name))).normalize('NFKC');

/** A name without regard to case, width and look-alike marks: NFKC without marks, case folded. */
export const foldName = (name: string): string => normaliseName(foldCase(toPlainName(name)));

/** Whatever looks like another character replaced by that one (UTS 39, skeleton), without regard to case. */
const skeleton = (text: string) => foldCase(stripMarks(unhomoglyph(text.normalize('NFD'))));

/**
 * How a name looks: in small letters, and as it is written, where that differs (`I` looks like `l`, and `m` like `rn`).
 * Two names that share one of these are alike.
 */
export function computeNameSkeletons(name: string): string[] {
  return [...new Set([skeleton(foldName(name)), skeleton(toPlainName(name))])];
}

/** Ids of jobs, tasks and A2A tasks, of webhook messages, muses, and posts; `o` and `l` imitate digits. */
const ID =
  /^(?:(?:job|instant|offer)-(?=.*[0-9])[0-9ol]+|offer-[0-9a-fol]{24}|msg_[0-9a-fol]{32}|agent_[a-z0-9]{10}|muse_[a-z0-9]{4,40}|(?=.*[0-9])[0-9ol]{12,15})$/;

/** `rn` is the skeleton of `m`. */
const isSimilarToId = (name: string) =>
  [foldName(name), ...computeNameSkeletons(name)].some(
    likeness => ID.test(likeness) || ID.test(likeness.replaceAll('rn', 'm')),
  );

/** Symbols that are drawn like the check mark of verified muses. */
const CHECK_MARK =
  /[\u221a\u237b\u23b7\u2611\u2705\u2713\u2714\u{10102}\u{1d93f}-\u{1d941}\u{1d977}\u{1f5f8}\u{1f5f9}\u{1fbb1}]/u;

/** Katakana that are drawn like a check mark where they are a word of their own at the end. */
const CHECK_MARK_WORD = /[ _.@-][\u30ec\u31fe]$/;

/** Whether a tidied name may be given: of visible characters, of one script, without check marks, and unlike an id. */
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
/** What makes a name more than strokes: a letter, a number or a picture. */
const isLetterNumberOrSymbol = ({ kind }: CharacterProperties) =>
  kind === 'letter' || kind === 'number' || kind === 'symbol';

/** Scripts that are written beside each other. */
const SCRIPT_COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

/** Of one script, or of some that are written together ("highly restrictive" of UTS 39, 5.2). */
function isHighlyRestrictive(characters: readonly CharacterProperties[]): boolean {
  const sets = characters.flatMap(({ scripts }) => (scripts === null ? [] : [scripts]));
  const [first] = sets;
  if (first === undefined) return true;
  const candidates = [...[...first].map(script => [script]), ...SCRIPT_COMBINATIONS];
  return candidates.some(candidate => sets.every(set => candidate.some(script => set.has(script))));
}
