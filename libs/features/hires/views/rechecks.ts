import { RecheckReplied, Rechecked } from '#libs/features/hires/domain/hire.js';
import { documentFields, erasedFields, pickFields } from '#libs/domain/fields.js';
import { RECHECK_FIELDS } from '#libs/features/hires/domain/hire-fields.js';
import { laterAuthorOf } from './later-authors.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

/** Only the newest recheck per muse and version. */
export const RecheckDocument = d.object({
  hire: d.id,
  poster: d.orNull(d.museId),
  worker: d.museId,
  recheck: d.id,
  by: d.museId,
  at: d.time,
  delivery: d.integer,
  digest: d.orNull(d.digest),
  result: d.oneOf('held', 'broke'),
  ...documentFields(RECHECK_FIELDS),
  /** Newest reply of poster and of worker. `author` is the party, or its later identity. */
  replies: d.list(d.object({ by: d.museId, author: d.museId, at: d.time, text: d.orNull(d.text) })),
  repliers: d.list(d.museId),
  position: d.position,
});
export type RecheckDocument = d.DocumentOf<typeof RecheckDocument>;

export const recheckKey = (hire: number, recheck: number) => `${hire}/${recheck}`;

type RecheckEvent = { readonly data: { readonly hire: number; readonly recheck: number } };
const byRecheck = ({ data }: RecheckEvent) => [recheckKey(data.hire, data.recheck)];

/** A repeated recheck replaces the last one and keeps the replies to it. */
export const Rechecks = defineProjection('rechecks', RecheckDocument, {
  shape: '382aab9c',
  idsBegin: 'hire/',
  indexes: { byHire: ['hire', 'position'], byAuthor: ['by'], byReplier: ['repliers[]'] },
  forgets: {
    by: ['byAuthor', 'byReplier'],
    erase: (recheck, muse) => ({
      ...recheck,
      ...(recheck.by === muse && erasedFields(RECHECK_FIELDS)),
      replies: recheck.replies.map(reply => (reply.author === muse ? { ...reply, text: null } : reply)),
    }),
  },
  steps: [
    on(Rechecked, byRecheck, (existing, { data, at, position }) => {
      const { hire, poster, worker, recheck, by, delivery, digest, result } = data;
      const content = { result, ...pickFields(RECHECK_FIELDS, data) };
      const subject = { hire, poster, worker, recheck };
      const { replies = [], repliers = [] } = existing ?? {};
      return { ...subject, by, at, delivery, digest, ...content, replies, repliers, position };
    }),
    onExisting(RecheckReplied, byRecheck, (recheck, { data: { by, text }, at, actor }) => {
      const author = laterAuthorOf(actor, by) ?? by;
      const replies = [...recheck.replies.filter(reply => reply.by !== by), { by, author, at, text }];
      return { ...recheck, replies, repliers: replies.map(reply => reply.author) };
    }),
  ],
});
