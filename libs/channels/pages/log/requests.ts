/** At least one event. */
export type EventsOf<E> = readonly [E, ...E[]];

/** Groups adjacent events of one request. Private events have no cause. */
export function groupByRequest<E extends { readonly cause?: string }>(events: readonly E[]): EventsOf<E>[] {
  const groups: [E, ...E[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && event.cause !== undefined && last[0].cause === event.cause) last.push(event);
    else groups.push([event]);
  }
  return groups;
}
