import { PaidRequestCheck } from '#libs/audit/checks/paid-requests.js';
import { stateProblems } from '#libs/audit/checks/states.js';
import { Findings } from '#libs/audit/findings.js';
import { AuditState } from '#libs/audit/rules/audit-state.js';
import type { Event } from '#libs/kernel/event.js';
import { SALES } from '#libs/service/sales.js';

/** Problems that the rule of the last event finds, after the others. */
export function judge(events: readonly Event[], sales = SALES): readonly string[] {
  return stateProblems(events.at(-1)!, stateBefore(events, sales));
}

/** Problems of what the last event says about a purchase. */
export function judgePurchase(events: readonly Event[], sales = SALES): readonly string[] {
  return new PaidRequestCheck(new Findings(), stateBefore(events, sales)).problemsOf(events.at(-1)!);
}

function stateBefore(events: readonly Event[], sales: typeof SALES): AuditState {
  const state = new AuditState(sales);
  for (const event of events.slice(0, -1)) state.applyEvent(event);
  return state;
}
