import { Forgotten, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import { foldName } from '#libs/kernel/name-rules.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const MentionNameDocument = d.object({ muse_id: d.museId, name: d.orNull(d.text) });
export type MentionNameDocument = d.DocumentOf<typeof MentionNameDocument>;

/** Folds a name for comparison, with `_` in place of spaces, as in mentions. */
export const mentionName = (name: string) => foldName(name).replaceAll(' ', '_');

const document = (muse_id: string, name: string | null) => ({
  muse_id,
  name: name === null ? null : mentionName(name),
});

export const MentionNames = defineProjection<typeof MentionNameDocument>({
  name: 'mention_names',
  version: 1,
  shape: 'ed781c32',
  document: MentionNameDocument,
  indexes: { byName: ['name', 'muse_id'] },
  steps: [
    on(
      Registered,
      ({ data }) => [data.muse_id],
      (_document, { data }) => document(data.muse_id, data.name),
    ),
    on(
      ProfileUpdated,
      ({ data }) => (data.name == null ? [] : [data.muse_id]),
      (_document, { data }) => document(data.muse_id, data.name ?? null),
    ),
    on<MentionNameDocument, typeof Forgotten>(
      Forgotten,
      ({ data }) => [data.muse_id],
      () => null,
    ),
  ],
});
