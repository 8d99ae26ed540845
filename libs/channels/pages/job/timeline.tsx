import type { ComponentChild } from 'preact';
import { deliveryAddress, driftOf } from '#libs/features/hires/views/positions.js';
import type { HireDetails } from '#libs/features/records/hire-details.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { findRail, transactionUrl } from '#libs/payments/rails.js';
import { Action } from '#libs/channels/pages/elements/action.js';
import { reasonText } from '#libs/channels/pages/elements/escrow-texts.js';
import { payText } from '#libs/channels/pages/elements/jobs.js';
import { ExternalLink, Link } from '#libs/channels/pages/elements/links.js';
import { Joined, Row } from '#libs/channels/pages/elements/lists.js';
import { PersonLink } from '#libs/channels/pages/elements/people.js';
import { DeliveryLink } from '#libs/channels/pages/elements/positions.js';
import { MemberText, Timestamp } from '#libs/channels/pages/elements/texts.js';
import { type Actors, usePageContent } from '#libs/channels/pages/shell/page-content.js';
import { replySteps } from './hire-steps.js';

interface Entry {
  /** Unix ms. */
  readonly at: number;
  /** Absent for acts of the service, which `action` names. */
  readonly by?: string | null;
  readonly action: ComponentChild;
  readonly tone?: 'good' | 'warn';
  /** Section of the signed record, or a link to the transaction. */
  readonly proof: 'deliveries' | 'rechecks' | 'events' | { readonly transaction: string };
  readonly more?: ComponentChild;
}

/** The life of a hire, oldest first. Each entry has its actor, time and proof. */
export function Timeline({ details, playMoney }: { readonly details: HireDetails; readonly playMoney: boolean }) {
  const { hire } = details;
  const { actors } = usePageContent();
  const entries = [
    ...hiringEntries(hire),
    ...details.deliveries.map(each => deliveryEntry(details, each)),
    ...details.rechecks.map(each => recheckEntry(details, each, actors)),
    ...verdictEntries(hire),
    ...escrowEntries(details),
    ...paymentEntries(hire, playMoney),
  ];
  return (
    <ol class="timeline">
      {entries
        .sort((one, other) => one.at - other.at)
        .map((entry, at) => (
          <TimelineEntry key={at} entry={entry} hire={hire.hire} />
        ))}
    </ol>
  );
}

interface EntryProps {
  readonly entry: Entry;
  readonly hire: number;
}

const TimelineEntry = ({ entry: { at, by, action, tone, proof, more }, hire }: EntryProps) => (
  <li {...(tone && { class: tone })}>
    <Row aside={<Joined of={[<Timestamp key="at" at={at} />, proofLink(proof, hire)]} />}>
      {by !== undefined && <PersonLink id={by} />} {action}
    </Row>
    {more}
  </li>
);

const proofLink = (proof: Entry['proof'], hire: number) =>
  typeof proof === 'string' ? (
    <Link to={`${PAGE_PATHS.record(hire)}#${proof}`}>proof</Link>
  ) : (
    <ExternalLink href={proof.transaction}>transaction</ExternalLink>
  );

const Badge = ({ tone, children }: { readonly tone: 'good' | 'warn'; readonly children: string }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

const hiringEntries = ({ worker, poster, applied_at, created_at, wage }: HireDetails['hire']): Entry[] => [
  { at: applied_at, by: worker, action: 'applied', proof: 'events' },
  {
    at: created_at,
    by: poster,
    action: wage ? <>hired for {<span class="amount">{payText(wage)}</span>}</> : 'hired',
    proof: 'events',
  },
];

const DRIFTED = { changed: 'The address has different content now', deleted: 'The delivered post was deleted' };

function deliveryEntry({ hire, erasedPosts }: HireDetails, delivery: HireDetails['deliveries'][number]): Entry {
  const { version, post, digest, note, at } = delivery;
  const isEarlier = hire.delivery?.version !== version;
  const drift = isEarlier ? null : driftOf(hire, erasedPosts);
  return {
    at,
    by: hire.worker,
    action: (
      <>
        delivered {version > 1 && `version ${version}: `}
        <DeliveryLink delivery={{ post, url: deliveryAddress(delivery, erasedPosts) }} />
      </>
    ),
    proof: 'deliveries',
    more: (
      <>
        {note !== null && <MemberText text={note} />}
        {isEarlier && digest !== null && (
          <p class="under">
            SHA-256 <code>{digest}</code>
          </p>
        )}
        {drift && <Badge tone="warn">{DRIFTED[drift.reason]}</Badge>}
      </>
    ),
  };
}

function recheckEntry({ hire }: HireDetails, recheck: HireDetails['rechecks'][number], actors: Actors): Entry {
  const { by, at, result, delivery, scope, evidence_url, replies } = recheck;
  const isPositive = result === 'held';
  return {
    at,
    by,
    tone: isPositive ? 'good' : 'warn',
    action: (
      <>
        rechecked {hire.delivery && hire.delivery.version !== delivery && `version ${delivery} `}
        <Badge tone={isPositive ? 'good' : 'warn'}>{isPositive ? 'confirmed' : 'not as agreed'}</Badge>
      </>
    ),
    proof: 'rechecks',
    more: (
      <>
        <MemberText text={scope} />
        {evidence_url !== null && (
          <p class="under">
            Evidence: <ExternalLink href={evidence_url} />
          </p>
        )}
        {replies.map(reply => (
          <div key={reply.by} class="nested">
            <p class="under">
              <PersonLink id={reply.by} /> replied, <Timestamp at={reply.at} />
            </p>
            <MemberText text={reply.text} />
          </div>
        ))}
        {replySteps(hire, recheck, actors).map(step => (
          <Action key={step.operation} {...step} />
        ))}
      </>
    ),
  };
}

function verdictEntries({ acceptance, dispute, ended }: HireDetails['hire']): Entry[] {
  const entries: Entry[] = [];
  if (acceptance) {
    const [tone, review] = acceptance.positive ? (['good', 'positive'] as const) : (['warn', 'negative'] as const);
    const action = <>accepted {<Badge tone={tone}>{`${review} review`}</Badge>}</>;
    const { note } = acceptance;
    entries.push({ ...acceptance, tone, action, proof: 'events', more: note !== null && <MemberText text={note} /> });
  }
  if (dispute) {
    const isOpen = dispute.state === 'open';
    const action = isOpen ? <Badge tone="warn">disputed</Badge> : 'withdrew a dispute';
    const more = <MemberText text={dispute.reason} />;
    entries.push({ ...dispute, ...(isOpen && { tone: 'warn' }), action, proof: 'events', more });
  }
  if (ended?.by === null)
    entries.push({ at: ended.at, action: `${SERVICE} ended the hire: nothing was delivered in time`, proof: 'events' });
  else if (ended)
    entries.push({ ...ended, action: 'ended the hire', proof: 'events', more: <MemberText text={ended.reason} /> });
  return entries;
}

const SERVICE = 'The service';

/** The texts of an escrow's events; their times are those of the events. */
function escrowEntries({ hire: { escrow, wage, poster }, states }: HireDetails): Entry[] {
  if (!escrow) return [];
  const amount = <span class="amount">{payText(wage)}</span>;
  const isToWorker = escrow.status === 'releasing' || escrow.status === 'released';
  const decided = (
    <>
      {SERVICE} {isToWorker ? 'releases' : 'returns'} {amount} {isToWorker ? 'to the worker' : 'to the poster'}
      {reasonText(escrow.reason, escrow.operator_reason)}
    </>
  );
  return states.flatMap(({ type, at }): Entry[] => {
    if (type === 'EscrowFunded')
      return [{ at, by: poster, action: <>paid {amount} into the escrow</>, proof: 'events' }];
    if (type !== 'EscrowDecided') return [];
    return [{ at, action: decided, proof: 'events', ...(isToWorker && { tone: 'good' as const }) }];
  });
}

function paymentEntries(hire: HireDetails['hire'], playMoney: boolean): Entry[] {
  const { paid, lost, wage, escrow } = hire;
  const isFromEscrow = escrow?.status === 'released';
  const by = isFromEscrow ? {} : { by: hire.poster };
  const rail = wage ? findRail(wage.rail) : undefined;
  const proofOf = (tx: string): Entry['proof'] =>
    playMoney || !rail ? 'events' : { transaction: transactionUrl(rail, tx) };
  const amount = <span class="amount">{payText(wage)}</span>;
  const action = isFromEscrow ? <>The escrow paid {amount} to the worker</> : <>paid {amount}</>;
  const entries: Entry[] = [];
  if (paid) entries.push({ at: paid.at, ...by, tone: 'good', action, proof: proofOf(paid.tx) });
  if (lost) {
    const undone = <>{action}, but a reorganisation of the chain took it back</>;
    entries.push({ at: lost.at, ...by, tone: 'warn', action: undone, proof: proofOf(lost.tx) });
  }
  return entries;
}
