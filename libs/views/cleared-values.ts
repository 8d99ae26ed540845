import { Endorsement, RecommendationWithdrawn, Recommended } from '#libs/features/network/domain/endorsement.js';
import { Post, PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Forgotten, ProfileUpdated } from '#libs/domain/muse.js';
import { isClearedValue } from '#libs/domain/profile.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from './document-schema.js';
import { on, defineProjection } from './projection.js';

/** Where in the log each field was cleared last, its post deleted or its recommendation taken back: what it said before that is shown no longer. */
export const ClearedDocument = d.mapOf(d.position);
export type ClearedDocument = d.DocumentOf<typeof ClearedDocument>;

const PERSONAL: ReadonlySet<string> = new Set(ProfileUpdated.seals.personal);

/** A value that does not open may be an empty one: what stood before it is shown no longer. */
function findClearedFields({ data, unreadable }: Pick<Event<string, object>, 'data' | 'unreadable'>): string[] {
  const isGone = (name: string) => unreadable?.includes(name) || isClearedValue((data as JsonObject)[name]);
  return Object.keys(data).filter(name => PERSONAL.has(name) && isGone(name));
}

const markAllCleared = (
  { seals: { personal } }: { readonly seals: { readonly personal: readonly string[] } },
  at: string,
) => Object.fromEntries(personal.map(name => [name, at]));

/**
 * By muse those that ever cleared a field of their profile, and by its stream each post that was deleted and each pair
 * of which one took back a recommendation.
 */
export const ClearedValues = defineProjection<typeof ClearedDocument>({
  name: 'cleared_values',
  version: 1,
  shape: '27d5a4ae',
  document: ClearedDocument,
  steps: [
    on(
      ProfileUpdated,
      event => (findClearedFields(event).length > 0 ? [event.data.muse_id] : []),
      (cleared = {}, event) => ({
        ...cleared,
        ...Object.fromEntries(findClearedFields(event).map(name => [name, event.position])),
      }),
    ),
    // Nothing is left to be hidden.
    on<ClearedDocument, typeof Forgotten>(
      Forgotten,
      ({ data }) => [data.muse_id],
      () => null,
    ),
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
