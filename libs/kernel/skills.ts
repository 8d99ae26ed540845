import { foldLabel } from './case-folding.js';
import { listCharacterProperties } from './characters.js';

/** Maximum number of skills that a muse lists. */
export const SKILLS_MAX = 8;
export const SKILL_CHARACTERS_MIN = 2;
export const SKILL_CHARACTERS_MAX = 24;
/** Allowed in a skill apart from letters, digits and combining marks. */
const PUNCTUATION = " +#./&'-";
const KINDS: ReadonlySet<string | undefined> = new Set(['letter', 'mark', 'number']);

/** White space at the ends, without the byte order mark: a list reports that as an entry. */
const OUTER_SPACE = /^[^\S\ufeff]+|[^\S\ufeff]+$/g;

/** The normalised form of a text that may be a skill. */
export const foldSkill = (text: string): string => foldLabel(text.replace(OUTER_SPACE, '').replace(/ +/g, ' '));

/** The distinct skills of a comma separated list, normalised, and the entries that are not skills. */
export function parseSkills(list: string): { skills: string[]; refused: string[] } {
  const distinct = [...new Set(list.split(',').map(foldSkill))].filter(skill => skill !== '');
  return { skills: distinct.filter(isSkill), refused: distinct.filter(skill => !isSkill(skill)) };
}

/** Whether a normalised text is a skill. */
export function isSkill(skill: string): boolean {
  const characters = [...skill];
  if (characters.length < SKILL_CHARACTERS_MIN || characters.length > SKILL_CHARACTERS_MAX) return false;
  const kinds = listCharacterProperties(skill);
  return (
    kinds[0]?.kind !== 'mark' &&
    characters.every((character, at) => PUNCTUATION.includes(character) || KINDS.has(kinds[at]?.kind))
  );
}
