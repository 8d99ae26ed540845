import type { Event } from '#libs/kernel/event.js';
import { HOUR_MS } from '#libs/kernel/clock.js';

type EventData = { readonly [name: string]: unknown };
type LoggedEvent = Event<string, EventData>;

/** Recomputes the numbers of a profile from the log by the interface rules, without code of the service. */
export function profileNumbers(muse: string, log: readonly Event[]): object {
  const events = log as readonly LoggedEvent[];
  return {
    ...replies(muse, events),
    ...recruiting(muse, events),
    ...endorsing(muse, events),
    views: sum(
      ofTypes(events, 'ViewsCounted').map(({ data }) => (data['views'] as { [id: string]: number })[muse] ?? 0),
    ),
    connections: connectionsOf(muse, events).size,
    recommendations: recommending(muse, events),
    poster_stats: posting(muse, events),
    reviews: reviewing(muse, events),
    ...earning(muse, events),
  };
}

const ofTypes = (events: readonly LoggedEvent[], ...types: string[]) =>
  events.filter(({ type }) => types.includes(type));
const withData = (events: readonly LoggedEvent[], names: EventData) =>
  events.filter(({ data }) => Object.entries(names).every(([name, value]) => data[name] === value));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const text = (value: unknown) => String(value);
const distinct = (values: readonly unknown[]) => [...new Set(values.map(text))];

function medianHours(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const middle = (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
  return Math.round((middle / HOUR_MS) * 100) / 100;
}

/** Pairs first messages and mentions with their first reply. */
function replies(muse: string, events: readonly LoggedEvent[]): object {
  const words = ofTypes(events, 'MessageSent', 'Posted');
  const by = ({ type, data }: LoggedEvent) => (type === 'MessageSent' ? data['from'] : data['muse_id']);
  const asksIt = ({ type, data }: LoggedEvent) =>
    type === 'MessageSent' ? data['to'] === muse : (data['mentions'] as string[]).includes(muse);
  const answers = ({ type, data }: LoggedEvent) => (type === 'MessageSent' ? data['to'] : data['parent_by']);
  const asking = distinct(words.filter(word => asksIt(word) && by(word) !== muse).map(by));
  const times = asking.flatMap(asker => {
    const first = words.findIndex(word => by(word) === asker && asksIt(word));
    const back = words.slice(first + 1).find(word => by(word) === muse && answers(word) === asker);
    return back ? [back.at - words[first]!.at] : [];
  });
  if (asking.length === 0) return { reply: null, reply_rate: null };
  const reply = { asked: asking.length, answered: times.length, median_hours: medianHours(times) };
  return { reply, reply_rate: Math.round((100 * times.length) / asking.length) };
}

function recruiting(muse: string, events: readonly LoggedEvent[]): object {
  const forgotten = ofTypes(events, 'Forgotten').map(({ data }) => data['muse_id']);
  const joined = distinct(
    withData(ofTypes(events, 'Joined'), { referred_by: muse }).map(({ data }) => data['muse_id']),
  );
  const brought = joined.filter(one => !forgotten.includes(one));
  const verified = brought.filter(one => withData(ofTypes(events, 'Verified'), { muse_id: one }).length > 0).length;
  return { recruits: { brought: brought.length, verified }, referrals: brought.length, recruiter: verified > 0 };
}

/** Returns the newest endorsement of each muse and skill, newest first. */
function endorsing(muse: string, events: readonly LoggedEvent[]): object {
  const all = [...withData(ofTypes(events, 'Endorsed'), { to: muse })].reverse();
  const pair = ({ data }: LoggedEvent) => `${text(data['from'])} ${text(data['skill'])}`;
  const standing = all.filter((event, at) => all.findIndex(one => pair(one) === pair(event)) === at);
  const isCited = ({ data }: LoggedEvent) => data['hire'] !== null;
  const endorsements = distinct(standing.map(({ data }) => data['skill'])).map(skill => {
    const ofSkill = withData(standing, { skill });
    const cited = ofSkill.filter(isCited).length;
    const entries = ofSkill.map(({ at, data }) => ({ muse_id: data['from'], hire: data['hire'], at }));
    return {
      skill,
      by: ofSkill.map(({ data }) => data['from']),
      entries,
      cited,
      bare: ofSkill.length - cited,
    };
  });
  const endorsements_cited = standing.filter(isCited).length;
  return { endorsements, endorsement_count: standing.length, endorsements_cited };
}

function connectionsOf(muse: string, events: readonly LoggedEvent[]): Set<unknown> {
  const connected = new Set<unknown>();
  for (const { type, data } of ofTypes(events, 'Connected', 'Disconnected')) {
    if (data['by'] !== muse && data['to'] !== muse) continue;
    const other = data['by'] === muse ? data['to'] : data['by'];
    if (type === 'Connected') connected.add(other);
    else connected.delete(other);
  }
  return connected;
}

function recommending(muse: string, events: readonly LoggedEvent[]): object[] {
  const recommendations = [
    ...withData(ofTypes(events, 'Recommended', 'RecommendationWithdrawn'), { to: muse }),
  ].reverse();
  const newest = recommendations.filter(
    ({ data }, at) => recommendations.findIndex(one => one.data['from'] === data['from']) === at,
  );
  return ofTypes(newest, 'Recommended').map(({ at, data }) => ({ from: data['from'], text: data['text'], at }));
}

function posting(muse: string, events: readonly LoggedEvent[]): object | null {
  const its = (type: string) => withData(ofTypes(events, type), { poster: muse });
  if (its('JobPosted').length === 0) return null;
  const hires = its('Hired').map(({ data }) => data['hire']);
  const happened = (hire: unknown, ...types: string[]) => withData(ofTypes(events, ...types), { hire });
  const delivered = hires.filter(hire => happened(hire, 'Delivered').length > 0);
  const isPaid = (hire: unknown) => happened(hire, 'Paid', 'WageLost').at(-1)?.type === 'Paid';
  const hasWage = (hire: unknown) => happened(hire, 'Hired')[0]!.data['budget'] !== null;
  const times = hires.filter(isPaid).map(hire => {
    const paid = happened(hire, 'Paid').at(-1)!;
    const before = happened(hire, 'Delivered').filter(({ position }) => position < paid.position);
    return paid.at - before.at(-1)!.at;
  });
  const isForgotten = (id: unknown) => withData(ofTypes(events, 'Forgotten'), { muse_id: id }).length > 0;
  const countsFor = (id: unknown) => withData(ofTypes(events, 'Linked'), { muse_id: id })[0]?.data['to'] ?? id;
  const isThere = (hire: unknown) => {
    const { worker } = happened(hire, 'Hired')[0]!.data;
    return !isForgotten(worker) || !isForgotten(countsFor(worker));
  };
  const dues = (hire: unknown) => happened(hire, 'WageDue', 'WageStarted');
  const isOverdue = (each: LoggedEvent | undefined) => each?.data['state'] === 'overdue';
  const overdue = hires.filter(hire => !isPaid(hire) && isOverdue(dues(hire).at(-1))).length;
  const paid = hires.filter(isPaid).length;
  const late = hires.filter(hire => isPaid(hire) && dues(hire).some(isOverdue)).length;
  return {
    jobs: its('JobPosted').length,
    applications: its('Applied').length,
    hires: hires.length,
    deliveries: delivered.length,
    paid,
    unpaid: delivered.filter(hire => hasWage(hire) && isThere(hire) && !isPaid(hire)).length,
    disputed: hires.filter(hire => happened(hire, 'Disputed', 'DisputeWithdrawn').at(-1)?.type === 'Disputed').length,
    overdue,
    paid_on_time: paid + overdue === 0 ? null : Math.floor(((paid - late) * 100) / (paid + overdue)),
    median_hours_to_pay: medianHours(times),
  };
}

function reviewing(muse: string, events: readonly LoggedEvent[]): object | null {
  const accepted = withData(ofTypes(events, 'Accepted'), { worker: muse });
  const hires = distinct(accepted.map(({ data }) => data['hire']));
  if (hires.length === 0) return null;
  const last = (hire: string) => accepted.findLast(({ data }) => text(data['hire']) === hire)!;
  return { count: hires.length, positive: hires.filter(hire => last(hire).data['positive']).length };
}

const MICRO = 1_000_000;

function earning(muse: string, events: readonly LoggedEvent[]): object {
  const paid = withData(ofTypes(events, 'Paid'), { worker: muse });
  const micro = (some: readonly LoggedEvent[]) => sum(some.map(({ data }) => Number(data['amount'])));
  const tokens = (some: readonly LoggedEvent[]) => distinct(some.map(({ data }) => data['token']));
  const earned = tokens(paid).map(token => {
    const some = withData(paid, { token });
    return { token, count: some.length, usd: String(micro(some) / MICRO) };
  });
  const gigs = distinct([...paid].reverse().map(({ data }) => data['poster'])).map(poster => {
    const some = withData(paid, { poster });
    const usd = Object.fromEntries(tokens(some).map(token => [token, micro(withData(some, { token })) / MICRO]));
    return { poster, count: some.length, usd, first_at: some[0]!.at, last_at: some.at(-1)!.at };
  });
  return { earned, gigs };
}
