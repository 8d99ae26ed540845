import { useHonestLog } from './lie.js';
import type { LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

/** Changes the data of a hire at an ask, in the seat and in the hire that follows from it. */
function changeHire(log: LyingLog, change: (data: { [name: string]: unknown }) => void): void {
  const seat = log.first('SeatFilled', ({ data }) => data['ask_salt'] !== null);
  const hired = log.first('Hired', ({ data }) => data['hire'] === seat.data['hire']);
  for (const { data } of [seat, hired]) change(data);
}

lie('a hire below the ask of its worker is found', 'decision', log =>
  changeHire(log, data => (data['wage'] = { ...(data['wage'] as object), amount: '8000000', usd: '8' })),
);

lie('a hire with a wage in dollars that differs from its amount is found', 'decision', log =>
  changeHire(log, data => (data['wage'] = { ...(data['wage'] as object), usd: '8' })),
);

lie('a hire that pays the budget instead of the ask is found', 'decision', log =>
  changeHire(log, data => Object.assign(data, { wage: data['budget'], ask_salt: null })),
);

lie('a hire without an ask at another wage than the budget is found', 'decision', log => {
  const seat = log.first('SeatFilled', ({ data }) => data['ask_salt'] === null && data['budget'] !== null);
  const hired = log.first('Hired', ({ data }) => data['hire'] === seat.data['hire']);
  for (const { data } of [seat, hired]) data['wage'] = { ...(data['wage'] as object), amount: '1', usd: '0.000001' };
});
