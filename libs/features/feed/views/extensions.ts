import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Reacted } from '#libs/features/feed/domain/reaction.js';
import { withActivity } from '#libs/features/identity/views/muse-activity.js';
import { by, onExisting } from '#libs/views/projection.js';

export const MUSE_POST_STEPS = [
  ...[Posted, Reacted].map(type => onExisting(type, by('muse_id'), withActivity)),
  // The operator and the service delete posts too.
  onExisting(PostDeleted, ({ actor, data }) => (actor === data.muse_id ? [actor] : []), withActivity),
];
