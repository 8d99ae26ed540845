import { CHECKS } from './checks.style.js';
import { COLOURS } from './colours.style.js';
import { GROUND } from './ground.style.js';
import { LISTS } from './lists.style.js';

export const STYLE = [COLOURS, GROUND, LISTS, CHECKS].map(text => text.trim()).join('\n');
