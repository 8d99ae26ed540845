import { stateProblems } from '#libs/audit/checks/states.js';
import { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Event } from '#libs/kernel/event.js';
import { SALES } from '#libs/service/sales.js';

/** Problems that the rule of the last event finds, after the others. */
export function judge(events: readonly Event[], sales = SALES): readonly string[] {
  const state = new AuditState(sales);
  for (const event of events.slice(0, -1)) state.applyEvent(event);
  const last = events.at(-1)!;
  return stateProblems(last, state);
}
