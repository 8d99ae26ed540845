import { feature } from '#libs/verbs/feature.js';
import { promote } from './promote.js';

export const promotion = feature('promotion', { verbs: [promote] });
