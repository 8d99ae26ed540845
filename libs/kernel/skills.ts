import { charactersOf } from './characters.js';

/** How many skills a muse lists. */
export const SKILLS_MAX = 8;
const SKILL_CHARACTERS_MIN = 2;
const SKILL_CHARACTERS_MAX = 24;
/** What a skill may hold besides letters and digits. */
const BESIDES = " +#./&'-";

/** A comma separated list as skills: in lower case, doubled ones once, with those that are none named apart. */
export function parseSkills(list: string): { skills: string[]; refused: string[] } {
  const words = list
    .split(',')
    .map(word => word.trim().replace(/ +/g, ' ').toLowerCase())
    .filter(word => word !== '');
  const distinct = [...new Set(words)];
  return { skills: distinct.filter(isSkill), refused: distinct.filter(word => !isSkill(word)) };
}

function isSkill(word: string): boolean {
  const characters = [...word];
  if (characters.length < SKILL_CHARACTERS_MIN || characters.length > SKILL_CHARACTERS_MAX) return false;
  const kinds = charactersOf(word);
  return characters.every((character, at) => BESIDES.includes(character) || isOfSkill(kinds[at]?.kind));
}

/** Letters that are drawn as nothing are letters, as they have been. */
const isOfSkill = (kind: string | undefined) => kind === 'letter' || kind === 'unseen' || kind === 'number';
