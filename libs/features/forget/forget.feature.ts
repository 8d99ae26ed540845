import { feature } from '#libs/endpoints/feature.js';
import { EraseMuse } from './erase-muse.js';
import { forget as forgetVerb } from './forget.js';

export const forget = feature('forget', { commands: [forgetVerb], reactions: [EraseMuse] });
