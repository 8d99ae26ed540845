import { findDifferences } from '#libs/kernel/differences.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Findings } from '#libs/audit/findings.js';
import { isPrivateEvent, type PublicEvent, sealPublicEvent } from '#libs/audit/public-event.js';
import type { Check, ExaminedEvent } from './check.js';

/** Reports only the first event that differs from a kept export: after it the events no longer correspond. */
export class KeptExportCheck implements Check {
  private hasDiffered = false;

  constructor(
    private readonly findings: Findings,
    private readonly kept: AsyncIterator<PublicEvent>,
  ) {}

  async examine({ shown }: ExaminedEvent): Promise<void> {
    if (this.hasDiffered) return;
    const { value, done } = await this.kept.next();
    if (done) return;
    const expected = value;
    if (expected.digest === shown.digest) return;
    this.hasDiffered = true;
    await this.stop();
    if (expected.id === shown.id && expected.stream === shown.stream)
      this.findings.add('tree', `It differs from the kept export: ${describeChanges(expected, shown)}.`, shown);
    else
      this.findings.add('tree', `The kept export has this event here; the log has ${describeEvent(shown)}.`, expected);
  }

  async finish(): Promise<void> {
    if (this.hasDiffered) return;
    const { value, done } = await this.kept.next();
    if (!done)
      this.findings.add('tree', 'The kept export continues with this event, but the log ends before it.', value);
    await this.stop();
  }

  private async stop(): Promise<void> {
    await this.kept.return?.();
  }
}

const describeEvent = ({ type, stream, revision }: PublicEvent) => (stream ? `${type} ${stream}@${revision}` : type);

function describeChanges(before: PublicEvent, now: PublicEvent): string {
  if (isPrivateEvent(before) || isPrivateEvent(now)) return 'its digest has changed';
  const digested = (event: PublicEvent) => {
    const { position: _position, ...rest } = sealPublicEvent(event);
    return rest as unknown as JsonObject;
  };
  const changes = findDifferences(digested(before), digested(now));
  const text = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value));
  return changes.map(({ field, one, other }) => `${field} was ${text(one)} and is ${text(other)}`).join(', ');
}
