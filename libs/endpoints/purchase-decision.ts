import { Journal, type LoadedStream } from '#libs/event-log/journal.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { findDifferences } from '#libs/kernel/differences.js';
import type { Revision } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { Muse } from '#libs/domain/muse.js';
import { OFFER_AGE_SECONDS_MAX } from '#libs/payments/auth-capture.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { PaymentAcceptedEvent, Purchase } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { parseFields } from '#libs/validation/request-class.js';
import { assertAudit, GIVEN_INTEGER, NotReplayable, type ReplayedDecision } from './decision.js';
import type { ResolvedDependencies } from './endpoint-declaration.js';
import type { AnyCommand } from './command.js';
import { asReplayError } from './command-decisions.js';

export type PaidCommandTable = ReadonlyMap<string, AnyCommand>;

/** Decides a purchase with a journal that notes the streams which it loads. `assertCaller` gets the caller's state. */
export async function decidePurchase(
  { sale }: AnyCommand,
  fields: object,
  context: CommandContext,
  { uses, journal, assertCaller }: PurchaseInput,
) {
  const basedOn: { [stream: string]: Revision } = {};
  const callerStream = Muse.streamName(context.actor);
  const load: Journal['load'] = async (source, asOf) => {
    const loaded = await journal.load(source, asOf);
    if (loaded.revision !== 'none') basedOn[loaded.stream] = loaded.revision;
    if (source.stream === callerStream) assertCaller(loaded.state as Muse);
    return loaded;
  };
  const noting = Object.create(journal, { load: { value: load } }) as Journal;
  const noted = mapMembers(uses, instance => (instance === journal ? noting : instance)) as ResolvedDependencies;
  const purchase = await sale!.purchase(fields, context, noted);
  return purchase && { ...purchase, basedOn };
}

interface PurchaseInput {
  readonly uses: ResolvedDependencies;
  readonly journal: Journal;
  readonly assertCaller: (caller: Muse) => void;
}

/**
 * For auditors: makes the decision to sell again, on the streams that `PaymentAccepted` names. Throws its refusal,
 * `AuditMismatch`, or `NotReplayable` if its input is hidden.
 */
export async function replayPurchase(command: AnyCommand, replay: ReplayedDecision): Promise<void> {
  const { data } = replay.event as unknown as PaymentAcceptedEvent;
  if (data.fields === null) throw new NotReplayable('The fields of the request are not shown.');
  const fields = parseFields(command.request, data.fields).values;
  // The rails that were offered are a setting: the paid one comes first, as the default.
  const rails = [...RAILS].sort((one, other) => Number(other.name === data.rail) - Number(one.name === data.rail));
  const journal = {
    load: ({ stream, entity }) => Promise.resolve({ stream, state: replay.read({ stream, entity }) }),
  } as {
    load: (...source: Parameters<Journal['load']>) => Promise<Partial<LoadedStream<unknown>>>;
  };
  const known = new Map<unknown, unknown>([
    [Journal, journal],
    [PaymentSettings, new PaymentSettings(rails, '')],
  ]);
  const subject = data.subject as JsonObject | null;
  const uses = {
    ...mapMembers(command.uses, token => known.get(token) ?? UNSEEN),
    ...(subject && command.sale!.usesFrom?.(subject)),
  } as unknown as ResolvedDependencies;
  try {
    const purchase = await command.sale!.purchase(fields, replay.context as CommandContext, uses);
    assertAudit(purchase !== null, 'Nothing was to pay.');
    assertAudit(
      String(purchase.amount) === data.amount,
      `Its amount is ${data.amount}; the price was ${purchase.amount}.`,
    );
    assertAudit(isEscrowOf(purchase, data), 'Its escrow has another contract or deadline than its purchase.');
    assertAudit(purchase.hire === data.hire, `Its hire is ${data.hire}; the payment was for ${purchase.hire}.`);
    if (subject !== null) assertSameSubject(subject, purchase.subject as JsonObject, command);
  } catch (error) {
    throw asReplayError(error);
  }
}

/** The offer that was paid may be up to ten minutes older. */
function isEscrowOf({ escrow }: Pick<Purchase, 'escrow'>, { escrow: paid }: PaymentAcceptedEvent['data']): boolean {
  if (!escrow || !paid) return !escrow && !paid;
  const ageSeconds = escrow.captureDeadline - paid.capture_deadline;
  const isContract = ESCROW_CONTRACTS[escrow.version].escrow === paid.contract;
  return isContract && ageSeconds >= 0 && ageSeconds <= OFFER_AGE_SECONDS_MAX;
}

/** A subject may rest on what no log shows: it is compared if the log and the subject itself decide it. */
function assertSameSubject(stored: JsonObject, decided: JsonObject, { uses, sale }: AnyCommand): void {
  const isOfLog = Object.values(uses).every(token => token === Journal || token === PaymentSettings);
  const isDecidedByLog = isOfLog || sale!.usesFrom !== undefined;
  const [difference] = isDecidedByLog ? findDifferences(stored, decided, equalsDecided) : [];
  assertAudit(difference === undefined, `Its subject differs from the purchase in ${difference?.field}.`);
}

/** The vault derives integers, which a replay does not know. */
const equalsDecided = (stored: unknown, decided: unknown): boolean =>
  (stored ?? null) === (decided ?? null) || (decided === GIVEN_INTEGER && Number.isSafeInteger(stored));

/** A service that an auditor does not have: claims, which other checks cover, or settings. It finds nothing. */
const UNSEEN: unknown = new Proxy(
  {},
  { get: (_service, name) => (name === 'then' ? undefined : () => Promise.resolve(null)) },
);
