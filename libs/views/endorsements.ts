import { DisputeWithdrawn, Disputed, Delivered } from '#libs/streams/hire.js';
import { Endorsed } from '#libs/streams/endorsement.js';
import { posterId } from '#libs/kernel/house.js';
import * as d from './document.js';
import { change, on, projection } from './projection.js';

/** What one muse says of one skill of another; `proven`: the cited hire proves the skill. */
export const EndorsementDocument = d.object({
  to: d.museId,
  from: d.museId,
  skill: d.text,
  hire: d.orNull(d.id),
  proven: d.flag,
  at: d.time,
  since: d.position,
});
export type EndorsementDocument = d.DocumentOf<typeof EndorsementDocument>;

const keyOf = (to: string, from: string, skill: string) => `${to}:${from}:${skill}`;

type OfHire = {
  readonly data: {
    readonly hire: number;
    readonly poster: string | null;
    readonly worker: string;
    readonly skills: readonly string[];
  };
};

/** What the poster may have said of the worker, citing this hire: only its two parties can. */
const byPoster = ({ data: { worker, poster, skills } }: OfHire) =>
  skills.map(skill => keyOf(worker, posterId(poster), skill));

const provenIf = (document: EndorsementDocument, hire: number, proven: boolean) =>
  document.hire === hire ? { ...document, proven } : document;

/** Who endorses whom for what, the newest of each. */
export const Endorsements = projection<typeof EndorsementDocument>({
  name: 'endorsements',
  version: 3,
  shape: '74ea624b',
  document: EndorsementDocument,
  idsBegin: 'to:',
  indexes: { byMuse: ['to', 'since'] },
  steps: [
    on(
      Endorsed,
      ({ data: { to, from, skill } }) => [keyOf(to, from, skill)],
      (_document, { data: { to, from, skill, hire, proven }, at, position }) => {
        return { to, from, skill, hire, proven, at, since: position };
      },
    ),
    change(Delivered, byPoster, (document, { data }) => (data.proves ? provenIf(document, data.hire, true) : document)),
    change(Disputed, byPoster, (document, { data }) =>
      data.unproves ? provenIf(document, data.hire, false) : document,
    ),
    change(DisputeWithdrawn, byPoster, (document, { data }) =>
      data.proves ? provenIf(document, data.hire, true) : document,
    ),
  ],
});
