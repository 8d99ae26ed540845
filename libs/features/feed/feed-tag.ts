import { readAs } from '#libs/checks/check.js';
import * as c from '#libs/checks/words.js';

/** A tag that is asked for, with or without its `#`. */
export const feedTag = readAs(c.text({ max: 100 }), text => text.replace(/^#/, '').toLowerCase());
