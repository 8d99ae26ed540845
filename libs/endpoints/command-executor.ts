import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import { executeCommand, type Sources } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { CommandResult, CommandContext } from '#libs/kernel/decide.js';
import { maxPosition, type RequestFields } from '#libs/kernel/event.js';
import { IdCollision, retryOnIdCollision } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Payments } from '#libs/payments/payments.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import { Muse } from '#libs/domain/muse.js';
import { canCallWhileSuspended } from '#libs/domain/suspension.js';
import { assertMayAct, needsIdentity } from './caller-rules.js';
import { formatDecidedBy } from './decision.js';
import { decidePurchase } from './purchase-decision.js';
import type { ResolvedDependencies } from './endpoint-declaration.js';
import type { Followed } from './paid-action.js';
import { type AnyCommand, sourcesOf } from './command.js';

type FieldValueMap = FieldValues<FieldDeclarations>;
type Outcome = Parameters<AnyCommand['reply']>[0];

export class CommandExecutor {
  constructor(
    private readonly command: AnyCommand,
    private readonly journal: Journal,
    private readonly payments: Payments,
    private readonly uses: ResolvedDependencies,
  ) {}

  /** Errors: the command's refusals, `busy`, payment errors, `Unavailable`. */
  execute(request: HttpRequest): Promise<CommandResult> {
    const { values: fields } = request;
    return retryOnIdCollision(async counter => {
      const context = this.contextOf(request, counter);
      if (await this.command.isTaken?.(fields, context, this.uses)) throw new IdCollision();
      try {
        return await this.attempt(request, context);
      } catch (error) {
        const code = error instanceof Refusal ? error.code : null;
        if (code === null || !(await this.command.repair?.(fields, this.uses, code))) throw error;
        return this.attempt(request, context);
      }
    });
  }

  private attempt(request: HttpRequest, context: CommandContext): Promise<CommandResult> {
    const { sent, values: fields, presented } = request;
    const { sale } = this.command;
    if (!sale || sale.isFree?.(fields)) return this.executeUnpaid(request, context);
    const wallet = sale.payer === undefined ? undefined : sent[sale.payer];
    const paidRequest = { ...request, context, payload: presented as PaymentPayload | null };
    return this.payments.buy(paidRequest, async () => {
      const { command, uses, journal } = this;
      const assertCaller = (caller: Muse) => this.assertCaller(caller, sent, context);
      const purchase = await decidePurchase(command, fields, context, { uses, journal, assertCaller });
      return purchase ? { ...purchase, ...(wallet && { wallet }) } : this.executeUnpaid(request, context);
    });
  }

  private assertCaller(caller: Muse, sent: RequestFields, context: CommandContext): void {
    const { command } = this;
    if (!needsIdentity(command)) return;
    assertMayAct(command, caller, { ...context, sent }, canCallWhileSuspended(command.endpoint, sent));
  }

  private contextOf({ values: fields, context }: HttpRequest, counter: number): CommandContext {
    const ids = context.ids.from(context.requestKey, counter);
    const actor = this.command.actor?.(fields, ids) ?? context.actor;
    return { ...context, ids, actor, decidedBy: formatDecidedBy(this.command) };
  }

  private async executeUnpaid(request: HttpRequest, context: CommandContext): Promise<CommandResult> {
    const { command, uses } = this;
    const { sent, values: fields, limits } = request;
    const given = await command.given?.find(fields, context, uses, request);
    const writes = command.writes(fields, context);
    const writesOwnStream = writes.stream === Muse.streamName(context.actor);
    const outcome = await executeCommand(this.journal, context, {
      writes,
      asOf: context.asOf,
      mustSeal: !command.erases,
      ...resolveReads(command, fields, context),
      decide: (state, reads) => {
        // Checks the state at decision time, as an auditor does, not at authorization.
        const caller = writesOwnStream
          ? (state as Muse)
          : findCallerState(sourcesOf(command, fields, context, state), reads, context.actor);
        if (caller) this.assertCaller(caller, sent, context);
        return command.decide(state, fields, context, reads, given);
      },
      ...(limits && { admit: (facts, place) => limits.admit(facts, place) }),
      ...(command.claim && { claim: facts => command.claim!({ fields, context, given, facts }, uses) }),
    });
    if (command.isExpectedState && !command.isExpectedState(outcome.state))
      throw new Error(`${command.name} left an unexpected state.`);
    const result = { ...outcome, fields, context, given };
    const after = await this.followUp(result);
    const { position } = outcome;
    return {
      position: maxPosition(position, after.position ?? position),
      body: command.reply(result, after) as JsonObject,
    };
  }

  /** An outage fails a request that wrote nothing. Any other request gets a response from its events. */
  private async followUp(result: Outcome): Promise<Followed> {
    const run = async () => (await this.command.then?.(result, this.uses)) ?? {};
    return result.events.length === 0 ? run() : withOutageFallback(run, {});
  }
}

function findCallerState(sources: Sources | undefined, reads: object, actor: string): Muse | undefined {
  const name = Object.entries(sources ?? {}).find(([, source]) => source?.stream === Muse.streamName(actor))?.[0];
  return name === undefined ? undefined : (reads as { readonly [name: string]: Muse })[name];
}

function resolveReads({ reads, readsByState, readsNext }: AnyCommand, fields: FieldValueMap, context: CommandContext) {
  const next = readsNext && { readsNext };
  if (readsByState) return { reads: (state: unknown) => readsByState(state, fields, context), ...next };
  return { ...(reads && { reads: reads(fields, context) }), ...next };
}
