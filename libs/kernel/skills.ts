import { foldLabel, listCharacterProperties } from './characters.js';

export const SKILLS_MAX = 8;
export const SKILL_CHARACTERS_MIN = 2;
export const SKILL_CHARACTERS_MAX = 24;
const PUNCTUATION = " +#./&'-";
const KINDS: ReadonlySet<string | undefined> = new Set(['letter', 'mark', 'number']);

/** Keeps the byte order mark, which a list reports as an invalid entry. */
const OUTER_SPACE = /^[^\S\ufeff]+|[^\S\ufeff]+$/g;

export const foldSkill = (text: string): string => foldLabel(text.replace(OUTER_SPACE, '').replace(/ +/g, ' '));

export function parseSkills(list: string): { skills: string[]; refused: string[] } {
  const distinct = [...new Set(list.split(',').map(foldSkill))].filter(skill => skill !== '');
  return { skills: distinct.filter(isSkill), refused: distinct.filter(skill => !isSkill(skill)) };
}

export function isSkill(skill: string): boolean {
  const characters = [...skill];
  if (characters.length < SKILL_CHARACTERS_MIN || characters.length > SKILL_CHARACTERS_MAX) return false;
  const kinds = listCharacterProperties(skill);
  return (
    kinds[0]?.kind !== 'mark' &&
    characters.every((character, at) => PUNCTUATION.includes(character) || KINDS.has(kinds[at]?.kind))
  );
}
