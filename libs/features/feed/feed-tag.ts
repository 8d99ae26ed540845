import { readAs } from '#libs/validation/check.js';
import * as c from '#libs/validation/words.js';
import { foldLabel } from '#libs/kernel/case-folding.js';

/** A tag that is asked for, with or without its `#`. */
export const feedTag = readAs(c.text({ max: 100 }), text => foldLabel(text.replace(/^#/, '')));
