import { mapValidator } from '#libs/validation/field-validator.js';
import * as c from '#libs/validation/validators.js';
import { foldLabel } from '#libs/kernel/characters.js';

export const feedTag = mapValidator(c.text({ max: 100 }), text => foldLabel(text.replace(/^#/, '')));
