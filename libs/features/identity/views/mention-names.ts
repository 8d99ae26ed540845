import { Forgotten, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import { foldName } from '#libs/kernel/name-rules.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection, removeOn } from '#libs/views/projection.js';

/** Folds a name for comparison, with `_` in place of spaces, as in mentions. */
export const mentionName = (name: string) => foldName(name).replaceAll(' ', '_');

export const MentionNames = defineProjection('mention_names', d.object({ muse_id: d.museId, name: d.orNull(d.text) }), {
  shape: 'ed781c32',
  indexes: { byName: ['name', 'muse_id'] },
  steps: [
    on(Registered, by('muse_id'), (_document, { data: { muse_id, name } }) => ({
      muse_id,
      name: name === null ? null : mentionName(name),
    })),
    on(
      ProfileUpdated,
      ({ data }) => (data.name == null ? [] : [data.muse_id]),
      (_document, { data: { muse_id, name } }) => ({ muse_id, name: mentionName(name!) }),
    ),
    removeOn(Forgotten, by('muse_id')),
  ],
});
