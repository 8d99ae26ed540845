import { feature } from '#libs/endpoints/feature.js';
import { reinstate, removeJob, removePost, suspend } from './moderation.js';

export const moderation = feature('moderation', { decisions: [suspend, reinstate, removePost, removeJob] });
