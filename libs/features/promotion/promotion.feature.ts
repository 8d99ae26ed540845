import { feature } from '#libs/endpoints/feature.js';
import { promote } from './promote.js';

export const promotion = feature('promotion', { commands: [promote] });
