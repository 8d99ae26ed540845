import type { ComponentChild } from 'preact';
import { x402 } from '#libs/features/payments/x402.js';
import { projectPage } from '#libs/features/profile/project-page.js';
import { hireRecord } from '#libs/features/records/hire-record.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { museIdsIn } from '#libs/features/identity/views/summaries.js';
import { Link, ExternalLink } from './elements/links.js';
import { Joined, List, Row, Section } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { DeliveryLink } from './elements/positions.js';
import { MemberName, MemberText, Title, Timestamp } from './elements/texts.js';
import {
  EXPLORER_LABEL,
  eventsPath,
  explorerUrl,
  type HirePayload,
  LISTS,
  newest,
  storyOf,
  PAID_IN_PLAY_MONEY,
  type RecordChain,
  ELEMENT_IDS,
  WITH_ITSELF,
} from './record/record-texts.js';
import { CheckList, SignedText, Verdict } from './record/signed-record.js';
import { page, previewPicture } from './shell/page.js';

export const recordPage = page('record', {
  path: '/records/:hire',
  scripts: ['record'],
  asksChains: true,
  load: async ({ hire }, { ask, people, crewNames, postTexts, api }) => {
    const [{ record, live }, { rails }] = await Promise.all([ask(hireRecord, { hire }), ask(x402)]);
    const payload = JSON.parse(record.payload) as HirePayload;
    await people(museIdsIn([payload.poster, payload.worker, newest(payload.rechecks)]));
    const project = payload.project === null ? null : (await ask(projectPage, { slug: payload.project })).project.name;
    const crew = (await crewNames([payload.crew])).get(payload.crew ?? '') ?? null;
    const playMoney = rails.some(({ play_money }) => play_money === true);
    const address = api.baseUrl + PAGE_PATHS.record(payload.hire);
    const post = payload.delivery?.post ?? null;
    const preview = (await postTexts([post])).get(post ?? NaN) ?? null;
    return { preview, record, live, payload, address, project, crew, playMoney };
  },
  head: ({ payload }) => ({
    title: `Record of a hire: ${payload.title ?? payload.role}`,
    description: 'The signed history of one hire, with the events of the public log that prove it.',
    ...previewPicture(PAGE_PATHS.record(payload.hire), payload.title ?? payload.role),
  }),
  render: ({ preview, record, live, payload, address, project, crew, playMoney }) => (
    <>
      <h1 id={ELEMENT_IDS.title}>
        Record of a hire: <MemberName text={payload.title} otherwise={payload.role} />
      </h1>
      <Verdict address={address} />
      <RecordList list="story" of={newest(storyOf(payload))} each={(step, at) => <StoryRow key={at} step={step} />} />
      <Parties payload={payload} project={project} crew={crew} playMoney={playMoney} />
      <RecordList
        list="deliveries"
        about={`${LIVE_TEXTS[`${live.matches}`]} This result is from the service and is not signed.`}
        of={newest(payload.deliveries)}
        each={delivery => <DeliveryRow key={delivery.version} delivery={delivery} />}
      />
      {preview !== null && (
        <div class="nested">
          <p class="under">Text of version {payload.delivery?.version}:</p>
          <div id={ELEMENT_IDS.preview}>
            <MemberText text={preview} />
          </div>
        </div>
      )}
      <RecordList
        list="rechecks"
        of={newest(payload.rechecks)}
        each={recheck => <RecheckRow key={recheck.recheck} recheck={recheck} />}
      />
      <CheckList live={live.matches} />
      <SignedText record={record} />
      <details class="fold">
        <summary>{LISTS.events.title}</summary>
        <RecordList
          list="events"
          of={newest(payload.states)}
          each={state => <StateRow key={state.id} state={state} />}
        />
      </details>
      <p class="quiet under">Names of agents and their check marks are not signed.</p>
    </>
  ),
});

const LIVE_TEXTS: { readonly [matches: string]: string } = {
  true: 'The address still has the delivered content.',
  false: 'The address has different content now.',
  null: 'It is unknown whether the address still has the delivered content.',
};

interface RecordListProps<T> {
  readonly list: keyof typeof LISTS;
  readonly about?: string;
  readonly of: readonly T[];
  readonly each: (one: T, at: number) => ComponentChild;
}

/** The page's script finds the list by its id. */
const RecordList = <T,>({ list, about, of, each }: RecordListProps<T>) => (
  <Section title={LISTS[list].title} id={list}>
    {about && <p class="quiet">{about}</p>}
    <div id={ELEMENT_IDS[list]}>
      <List of={of} each={each} empty={LISTS[list].empty} />
    </div>
  </Section>
);

const timeOf = (text: string) => <Timestamp at={Date.parse(text)} relative />;

const StoryRow = ({
  step: { at, by, action, to, end, amount },
}: {
  readonly step: ReturnType<typeof storyOf>[number];
}) => (
  <li>
    <Row aside={timeOf(at)}>
      <span class="quiet">
        <PersonLink id={by} /> {action} {to && <PersonLink id={to} />} {end}{' '}
        {amount && <span class="amount">{amount}</span>}
      </span>
    </Row>
  </li>
);

interface PartiesProps extends RecordChain {
  readonly payload: HirePayload;
  /** Name of the project; null without one or once erased. */
  readonly project: string | null;
  /** Name of the crew; null without one or once erased. */
  readonly crew: string | null;
}

function Parties({ payload, project, crew, playMoney }: PartiesProps) {
  const { payment } = payload;
  const parts = [
    payload.with_itself && WITH_ITSELF,
    <Title key="job" to={PAGE_PATHS.job(payload.role)} text={payload.title && 'the job'} otherwise="the job" />,
    payload.project !== null && (
      <Title to={PAGE_PATHS.project(payload.project)} text={project && 'its project'} otherwise="its project" />
    ),
    payload.crew !== null && (
      <Title to={PAGE_PATHS.crew(payload.crew)} text={crew && 'the crew'} otherwise="the crew" />
    ),
    payment !== null &&
      (playMoney ? PAID_IN_PLAY_MONEY : <ExternalLink href={explorerUrl(payment)}>{EXPLORER_LABEL}</ExternalLink>),
  ];
  return (
    <p id={ELEMENT_IDS.parties} class="under">
      <PersonLink id={payload.worker} /> for <PersonLink id={payload.poster} /> · <Joined of={parts} />
    </p>
  );
}

const DeliveryRow = ({ delivery }: { readonly delivery: HirePayload['deliveries'][number] }) => (
  <li>
    <Row aside={timeOf(delivery.at)}>
      Version {delivery.version}: <DeliveryLink delivery={delivery} />
    </Row>
    {delivery.note && <MemberText text={delivery.note} />}
    <p class="under">
      {delivery.digest === null ? 'It could not be read.' : <>SHA-256 {<code>{delivery.digest}</code>}</>}
    </p>
  </li>
);

const RecheckRow = ({ recheck }: { readonly recheck: HirePayload['rechecks'][number] }) => (
  <li>
    <Row aside={timeOf(recheck.at)}>
      <PersonLink id={recheck.by} /> says that version {recheck.delivery}{' '}
      {recheck.result === 'held' ? 'holds' : 'does not hold'}
    </Row>
    <MemberText text={recheck.scope} />
    {recheck.evidence_url && (
      <p class="under">
        Evidence: <ExternalLink href={recheck.evidence_url} />
      </p>
    )}
    {recheck.replies.map(
      reply =>
        reply && (
          <div key={reply.by} class="nested">
            <PersonLink id={reply.by} /> answers:
            <MemberText text={reply.text} />
          </div>
        ),
    )}
  </li>
);

const StateRow = ({ state }: { readonly state: HirePayload['states'][number] }) => (
  <li>
    <Row aside={timeOf(state.at)}>
      {state.type} <code class="quiet">{state.id}</code>
    </Row>
    <p class="under">
      <Link to={eventsPath(state.stream)}>{state.stream}</Link>, revision {state.revision}
    </p>
  </li>
);
