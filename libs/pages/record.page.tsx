import { hireRecord } from '#libs/features/records/hire-record.js';
import type { hirePayload } from '#libs/features/records/payloads.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { RAILS } from '#libs/payments/rails.js';
import { museIdsIn } from '#libs/views/summaries.js';
import { Link, Outside } from './elements/links.js';
import { List, Part } from './elements/lists.js';
import { type People, Who } from './elements/people.js';
import { pictureOf } from './elements/picture.js';
import { Delivered } from './elements/positions.js';
import { Named, Said, When } from './elements/texts.js';
import { Checked } from './record/checked.js';
import { Signed } from './record/signed.js';
import { page } from './shell/page.js';

type HirePayload = ReturnType<typeof hirePayload>;

/** A hire's record as the service has signed it. */
export const recordPage = page('record', {
  path: '/records/:hire',
  scripts: ['record'],
  asksChains: true,
  load: async ({ hire }, { ask, people }) => {
    const { record, live } = await ask(hireRecord, { hire });
    const said = JSON.parse(record.payload) as HirePayload;
    const muses = await people(museIdsIn([said.poster, said.worker, newest(said.rechecks)]));
    return { record, live, said, muses };
  },
  head: ({ said }) => ({
    title: `Record of a hire: ${said.title ?? said.role}`,
    description: 'Everything that became of one hire, signed, with the events of the public log that it follows from.',
    ...pictureOf(PAGE_PATHS.record(said.hire), said.title ?? said.role),
  }),
  render: ({ record, live, said, muses }) => (
    <>
      <h1>
        Record of a hire: <Named text={said.title} otherwise={said.role} />
      </h1>
      <p class="lead">Everything that became of it, as the service has signed it. Nobody has to believe it.</p>
      <Parties said={said} among={muses} />
      <Signed record={record} />
      <Checked live={live.matches} />
      <Part title="What was delivered" id="deliveries">
        <p class="quiet">{LIVE[`${live.matches}`]}</p>
        <List
          of={newest(said.deliveries)}
          each={delivery => <DeliveryRow key={delivery.version} delivery={delivery} />}
          empty="Nothing was delivered."
        />
      </Part>
      <Part title="What third parties say" id="rechecks">
        <List
          of={newest(said.rechecks)}
          each={recheck => <RecheckRow key={recheck.recheck} recheck={recheck} among={muses} />}
          empty="Nobody has checked it."
        />
      </Part>
      <Part title="The events that it follows from" id="events">
        <List of={newest(said.states)} each={state => <StateRow key={state.id} state={state} />} empty="None." />
      </Part>
    </>
  ),
});

/** How many of each list are shown; the record itself holds all. */
const SHOWN_MAX = 50;
const newest = <T,>(all: readonly T[]): readonly T[] => all.slice(-SHOWN_MAX).reverse();

const LIVE: { readonly [matches: string]: string } = {
  true: 'What stands there now is what was delivered.',
  false: 'What stands there now is something else.',
  null: 'Nobody can tell whether it is still what was delivered.',
};

const timeOf = (text: string) => <When at={Date.parse(text)} />;

/** Those whom the record names by their ids, by name. */
const Parties = ({ said, among }: { readonly said: HirePayload; readonly among: People }) => (
  <p>
    <Who id={said.worker} among={among} /> for <Who id={said.poster} among={among} />
    {' · '}
    <Link to={PAGE_PATHS.job(said.role)}>the job</Link>
    {said.project !== null && (
      <>
        {' · '}
        <Link to={PAGE_PATHS.project(said.project)}>its project</Link>
      </>
    )}
    {said.crew !== null && (
      <>
        {' · '}
        <Link to={PAGE_PATHS.crew(said.crew)}>the crew</Link>
      </>
    )}
    {said.payment !== null && (
      <>
        {' · '}
        <Outside href={explorerOf(said.payment)}>the transaction at the chain’s explorer</Outside>
      </>
    )}
  </p>
);

function explorerOf({ network, tx }: NonNullable<HirePayload['payment']>): string {
  const { explorer } = RAILS.find(({ short }) => short === network)!;
  return `${explorer}/tx/${tx}`;
}

const DeliveryRow = ({ delivery }: { readonly delivery: HirePayload['deliveries'][number] }) => (
  <li>
    <div class="row">
      <span>
        Version {delivery.version}: <Delivered delivery={delivery} />
      </span>
      <span class="aside">{timeOf(delivery.at)}</span>
    </div>
    {delivery.note && <Said text={delivery.note} />}
    <p class="under">
      {delivery.digest === null ? (
        'It could not be read.'
      ) : (
        <>
          SHA-256 <code>{delivery.digest}</code>
        </>
      )}
    </p>
  </li>
);

interface RecheckProps {
  readonly recheck: HirePayload['rechecks'][number];
  readonly among: People;
}

const RecheckRow = ({ recheck, among }: RecheckProps) => (
  <li>
    <div class="row">
      <span>
        <Who id={recheck.by} among={among} /> says that version {recheck.delivery}{' '}
        {recheck.result === 'held' ? 'holds' : 'does not hold'}
      </span>
      <span class="aside">{timeOf(recheck.at)}</span>
    </div>
    <Said text={recheck.scope} />
    {recheck.evidence_url && (
      <p class="under">
        Evidence: <Outside href={recheck.evidence_url} />
      </p>
    )}
    {recheck.replies.map(
      reply =>
        reply && (
          <div key={reply.by} class="nested">
            <Who id={reply.by} among={among} /> answers:
            <Said text={reply.text} />
          </div>
        ),
    )}
  </li>
);

const StateRow = ({ state }: { readonly state: HirePayload['states'][number] }) => (
  <li>
    <div class="row">
      <span>
        {state.type} <code class="quiet">{state.id}</code>
      </span>
      <span class="aside">{timeOf(state.at)}</span>
    </div>
    <p class="under">
      <Link to={withQuery('/api/events', { stream: state.stream })}>{state.stream}</Link>, revision {state.revision}
    </p>
  </li>
);
