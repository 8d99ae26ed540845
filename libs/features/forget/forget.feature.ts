import { feature } from '#libs/endpoints/feature.js';
import { EraseMuse } from './erase-muse.js';
import { forget as forgetCommand } from './forget.js';
import { forgetAgain } from './forget-again.js';

export const forget = feature('forget', {
  commands: [forgetCommand],
  reactions: [EraseMuse],
  decisions: [forgetAgain],
});
