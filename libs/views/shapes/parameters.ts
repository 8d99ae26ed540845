import { Type, type TSchema } from 'typebox';
import * as w from './words.js';

const LIMIT_MAX = 50;
const LIMIT_DEFAULT = 20;

/** How long a page is. A larger number is cut to the maximum. */
export const limit = (maximum = LIMIT_MAX, otherwise = LIMIT_DEFAULT): TSchema =>
  Type.Integer({
    minimum: 1,
    default: otherwise,
    description: `At most this many; ${otherwise} without it, and never more than ${maximum}`,
  });

/** The `next` of the page before. */
export const cursor = Type.String({ description: 'The `next` of the page before' });

export const museIdInPath = w.museId;
export const slugInPath = w.slug;
export const hireInPath = Type.String({ pattern: '^[0-9]{1,12}$', examples: ['123456789012'] });
export const itemInPath = Type.String({ pattern: '^[0-9]{1,15}$', examples: ['123456789012'] });
