import { Endorsement, RecommendationWithdrawn, Recommended } from '#libs/features/network/domain/endorsement.js';
import { Post, PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Forgotten, ProfileUpdated } from '#libs/domain/muse.js';
import { isClearedValue } from '#libs/domain/profile.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection, removeOn } from '#libs/views/projection.js';

/** Position in the log at which each field was last cleared, deleted or withdrawn. Older values are hidden. */
export const ClearedDocument = d.mapOf(d.position);
export type ClearedDocument = d.DocumentOf<typeof ClearedDocument>;

const PERSONAL: ReadonlySet<string> = new Set(ProfileUpdated.seals.personal);

/** An unreadable value may be an empty one, so the values before it are hidden. */
function findClearedFields({ data, unreadable }: Pick<Event<string, object>, 'data' | 'unreadable'>): string[] {
  const isCleared = (name: string) => unreadable?.includes(name) || isClearedValue((data as JsonObject)[name]);
  return Object.keys(data).filter(name => PERSONAL.has(name) && isCleared(name));
}

const markAllCleared = (
  { seals: { personal } }: { readonly seals: { readonly personal: readonly string[] } },
  at: string,
) => Object.fromEntries(personal.map(name => [name, at]));

/** Keyed by muse for profile fields, by stream for deleted posts and withdrawn recommendations. */
export const ClearedValues = defineProjection('cleared_values', ClearedDocument, {
  shape: '27d5a4ae',
  steps: [
    on(
      ProfileUpdated,
      event => (findClearedFields(event).length > 0 ? [event.data.muse_id] : []),
      (cleared = {}, event) => ({
        ...cleared,
        ...Object.fromEntries(findClearedFields(event).map(name => [name, event.position])),
      }),
    ),
    removeOn(Forgotten, by('muse_id')),
    on(
      PostDeleted,
      ({ data }) => [Post.streamName(data.post)],
      (_cleared, { position }) => markAllCleared(Posted, position),
    ),
    on(
      RecommendationWithdrawn,
      ({ data: { from, to } }) => [Endorsement.streamName(from, to)],
      (_cleared, { position }) => markAllCleared(Recommended, position),
    ),
  ],
});
