import { Endorsement, RecommendationWithdrawn, Recommended } from '#libs/features/network/domain/endorsement.js';
import { Post, PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Forgotten, ProfileUpdated } from '#libs/domain/muse.js';
import { isCleared } from '#libs/domain/profile.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from './document.js';
import { on, projection } from './projection.js';

/** Where in the log each field was cleared last, its post deleted or its recommendation taken back: what it said before that is shown no longer. */
export const ClearedDocument = d.mapOf(d.position);
export type ClearedDocument = d.DocumentOf<typeof ClearedDocument>;

const PERSONAL: ReadonlySet<string> = new Set(ProfileUpdated.seals.personal);

/** A value that does not open may be an empty one: what stood before it is shown no longer. */
function clearedIn({ data, unreadable }: Pick<Event<string, object>, 'data' | 'unreadable'>): string[] {
  const isGone = (name: string) => unreadable?.includes(name) || isCleared((data as JsonObject)[name]);
  return Object.keys(data).filter(name => PERSONAL.has(name) && isGone(name));
}

const allOf = ({ seals: { personal } }: { readonly seals: { readonly personal: readonly string[] } }, at: string) =>
  Object.fromEntries(personal.map(name => [name, at]));

/**
 * By muse those that ever cleared a field of their profile, and by its stream each post that was deleted and each pair
 * of which one took back a recommendation.
 */
export const ClearedValues = projection<typeof ClearedDocument>({
  name: 'cleared_values',
  version: 1,
  shape: '27d5a4ae',
  document: ClearedDocument,
  steps: [
    on(
      ProfileUpdated,
      event => (clearedIn(event).length > 0 ? [event.data.muse_id] : []),
      (cleared = {}, event) => ({
        ...cleared,
        ...Object.fromEntries(clearedIn(event).map(name => [name, event.position])),
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
      ({ data }) => [Post.named(data.post)],
      (_cleared, { position }) => allOf(Posted, position),
    ),
    on(
      RecommendationWithdrawn,
      ({ data: { from, to } }) => [Endorsement.named(from, to)],
      (_cleared, { position }) => allOf(Recommended, position),
    ),
  ],
});
