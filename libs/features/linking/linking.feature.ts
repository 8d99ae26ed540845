import { feature } from '#libs/endpoints/feature.js';
import { CompleteLink, completeLink } from './complete-link.js';
import { link } from './link.js';

export const linking = feature('linking', {
  commands: [link],
  reactions: [CompleteLink],
  decisions: [completeLink],
});
