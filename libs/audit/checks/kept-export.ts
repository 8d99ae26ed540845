import type { JsonObject } from '#libs/kernel/json.js';
import type { Findings } from '../findings.js';
import { jsonDifferences } from '../json-difference.js';
import { isPrivateEvent, type PublicEvent, sealPublicEvent } from '../public-event.js';
import type { Check, ExaminedEvent } from './check.js';

/**
 * The log begins with exactly the events of an export that somebody kept. Other than a root, an export shows which
 * event has changed: the first one that differs is named. Behind it the events no longer correspond.
 */
export class KeptExportCheck implements Check {
  private hasDiffered = false;

  constructor(
    private readonly findings: Findings,
    /** The kept events, in their order. */
    private readonly kept: AsyncIterator<PublicEvent>,
  ) {}

  async examine({ shown }: ExaminedEvent): Promise<void> {
    if (this.hasDiffered) return;
    const { value, done } = await this.kept.next();
    if (done) return;
    const before = value;
    if (before.digest === shown.digest) return;
    this.hasDiffered = true;
    await this.stop();
    if (before.id === shown.id && before.stream === shown.stream)
      this.findings.add('tree', `The kept export has it otherwise: ${describeChanges(before, shown)}.`, shown);
    else this.findings.add('tree', `The kept export has it here, where ${describeEvent(shown)} stands now.`, before);
  }

  async finish(): Promise<void> {
    if (this.hasDiffered) return;
    const { value, done } = await this.kept.next();
    if (!done) this.findings.add('tree', 'The kept export goes on with it; the log ends before it.', value);
    await this.stop();
  }

  private async stop(): Promise<void> {
    await this.kept.return?.();
  }
}

const describeEvent = ({ type, stream, revision }: PublicEvent) => (stream ? `${type} ${stream}@${revision}` : type);

/** What differs in what is digested. */
function describeChanges(before: PublicEvent, now: PublicEvent): string {
  if (isPrivateEvent(before) || isPrivateEvent(now)) return 'its digest is another one';
  const digested = (event: PublicEvent) => {
    const { position: _position, ...rest } = sealPublicEvent(event);
    return rest as unknown as JsonObject;
  };
  const changes = jsonDifferences(digested(before), digested(now));
  const text = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return changes.map(({ field, one, other }) => `${field} was ${text(one)} and is ${text(other)}`).join(', ');
}
