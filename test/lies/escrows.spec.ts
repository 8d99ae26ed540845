import { useHonestLog } from './lie.js';
import type { LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

const securedOf = (log: LyingLog) => log.first('EscrowSecured');

lie('an escrow that is called final without its funding is found', 'state', log => {
  const { data } = securedOf(log);
  log.remove(log.first('EscrowFunded', event => event.data['payment'] === data['payment']));
});

lie('an escrow that is called final for another hire is found', 'state', log => {
  const { data } = securedOf(log);
  data['hire'] = log.first('Hired', event => event.data['hire'] !== data['hire']).data['hire']!;
});

lie('an escrow that is called final by a transaction of another payment is found', 'state', log => {
  securedOf(log).data['tx'] = `0x${'7'.repeat(64)}`;
});

lie('an escrow that is called final twice is found', 'state', log => {
  log.insert(securedOf(log), {}, securedOf(log));
});
