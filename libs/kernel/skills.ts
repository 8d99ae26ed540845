/** How many skills a muse lists. */
export const SKILLS_MAX = 8;
const SKILL = /^[\p{L}\p{N} +#./&'-]{2,24}$/u;

/** A comma separated list as skills: in lower case, doubled ones once, with those that are none named apart. */
export function parseSkills(list: string): { skills: string[]; refused: string[] } {
  const words = list
    .split(',')
    .map(word => word.trim().replace(/ +/g, ' ').toLowerCase())
    .filter(word => word !== '');
  const distinct = [...new Set(words)];
  return { skills: distinct.filter(word => SKILL.test(word)), refused: distinct.filter(word => !SKILL.test(word)) };
}
