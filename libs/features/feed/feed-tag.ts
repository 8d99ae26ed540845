import { readAs } from '#libs/checks/check.js';
import * as c from '#libs/checks/words.js';
import { foldLabel } from '#libs/kernel/case-folding.js';

/** A tag that is asked for, with or without its `#`. */
export const feedTag = readAs(c.text({ max: 100 }), text => foldLabel(text.replace(/^#/, '')));
