import type { ComponentChild } from 'preact';
import { countDays, type EscrowTerms, type HireEscrow, reasonText } from './escrow-texts.js';
import { Timestamp } from './texts.js';

interface EscrowStateProps {
  readonly escrow: HireEscrow;
  readonly isDisputed: boolean;
  /** Terms of the job. */
  readonly terms: Pick<EscrowTerms, 'review_days' | 'undecided'>;
}

/** One sentence: who holds the wage, until when, and which party moves it next. */
export const EscrowState = (props: EscrowStateProps) => <p class="quiet">{sentenceOf(props)}</p>;

function sentenceOf(props: EscrowStateProps): ComponentChild {
  const { status, usd, deadline, reason, operator_reason } = props.escrow;
  const why = reasonText(reason, operator_reason);
  switch (status) {
    case 'funded':
      return (
        <>
          A contract on the chain holds the wage of {usd} USD, until <Timestamp at={deadline} /> at most:{' '}
          <NextMove {...props} />
        </>
      );
    case 'releasing':
      return `The wage of ${usd} USD is on its way to the worker${why}.`;
    case 'released':
      return `The escrow has released the wage of ${usd} USD to the worker${why}.`;
    case 'returning':
      return `The wage of ${usd} USD is on its way back to the poster${why}.`;
    case 'returned':
      return `The escrow has returned the wage of ${usd} USD to the poster${why}.`;
    case 'stuck':
      return `The chain refuses to return the wage of ${usd} USD to the poster, and the service tries again each day.`;
    case 'lost':
      return `A reorganisation of the chain undid the payment of ${usd} USD into the escrow, so nobody holds the wage.`;
  }
}

function NextMove({ escrow: { review_ends_at }, isDisputed, terms }: EscrowStateProps) {
  if (review_ends_at === null)
    return (
      <>it goes to the worker once the poster accepts a delivery, and back to the poster if none is made in time.</>
    );
  if (isDisputed) return disputeMove(terms);
  return (
    <>
      it goes to the worker when the poster accepts, or on <Timestamp at={review_ends_at} /> without a dispute.
    </>
  );
}

function disputeMove({ undecided, review_days }: EscrowStateProps['terms']) {
  const time = `within ${countDays(review_days)} of the dispute`;
  return undecided === 'released'
    ? `the poster disputes the delivery, and the arbiter decides; if it does not ${time}, the money goes to the worker.`
    : `it goes back to the poster unless the poster accepts the delivery or withdraws the dispute ${time}.`;
}
