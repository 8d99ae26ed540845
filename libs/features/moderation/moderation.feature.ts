import { feature } from '#libs/endpoints/feature.js';
import { closeReport } from './close-report.js';
import { reinstate, removeJob, removePost, suspend } from './moderation.js';
import { report } from './report.js';

export const moderation = feature('moderation', {
  commands: [report],
  decisions: [suspend, reinstate, removePost, removeJob, closeReport],
});
