import { BASE } from './base.style.js';
import { CHECKS } from './checks.style.js';
import { FORMS } from './forms.style.js';
import { LISTS } from './lists.style.js';
import { SHELL } from './shell.style.js';
import { TOKENS } from './tokens.style.js';

export const STYLE = [TOKENS, BASE, SHELL, LISTS, FORMS, CHECKS].map(text => text.trim()).join('\n');
