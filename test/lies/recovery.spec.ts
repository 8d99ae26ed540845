import { HOUR_MS } from '#libs/kernel/clock.js';
import { RECOVERY_MS } from '#libs/domain/recovery.js';
import { useHonestLog } from './lie.js';
import { continueLog, type LyingEvent, type LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

const started = (log: LyingLog) => log.first('RecoveryStarted');
const stopped = (log: LyingLog) => log.first('RecoveryStopped');

/** Ends the log with a binding of the new key. */
function bind(log: LyingLog, last: LyingEvent, at: number, changed: LyingEvent['data'] = {}): void {
  const start = started(log);
  const { muse_id, public_key, recovery_key, ends_at } = start.data as { readonly [name: string]: string };
  const { authorization } = stopped(log);
  log.cutAfter(last);
  const binding = {
    type: 'KeyBound',
    version: 1,
    stream: start.stream,
    at,
    cause: `recovery/${muse_id}/${ends_at}`,
    decided_by: 'bind-recovered-key@1',
    authorization: { mode: 'service', reason: 'the 72 hours of a recovery are over' },
    data: {
      muse_id: muse_id!,
      public_key: public_key!,
      replaces: authorization.public_key!,
      recovery_key: recovery_key!,
      ...changed,
    },
  };
  log.insert(log.first('OriginSet'), binding, last);
}

see('a new key is bound at the end of a recovery', log => bind(log, started(log), started(log).at + RECOVERY_MS));

lie('a new key that is bound before the end of its recovery is found', 'decision', log =>
  bind(log, started(log), started(log).at + RECOVERY_MS - 1),
);

lie('a new key that is bound after its recovery was stopped is found', 'decision', log =>
  bind(log, stopped(log), started(log).at + RECOVERY_MS),
);

lie('another key that is bound at the end of a recovery is found', 'decision', log =>
  bind(log, started(log), started(log).at + RECOVERY_MS, { public_key: log.first('Registered').data['public_key']! }),
);

lie('a binding that is withheld at the end of a recovery is found', 'missing', log => {
  log.cutAfter(started(log));
  continueLog(log, 14, { laterMs: RECOVERY_MS });
});

see(
  'a binding is not due an hour before the end of its recovery',
  log => {
    log.cutAfter(started(log));
    continueLog(log, 20, { laterMs: RECOVERY_MS - HOUR_MS });
  },
  'withheld',
);

lie('a recovery that the key of the agent starts is found', 'signature', log => {
  const signer = stopped(log).authorization.public_key!;
  log.sign(started(log), { signer });
  started(log).data['recovery_key'] = signer;
});

lie('a recovery that another recovery key started is found', 'decision', log => {
  started(log).data['recovery_key'] = started(log).data['public_key']!;
});

lie('a recovery that ends earlier than in 72 hours is found', 'decision', log => {
  started(log).data['ends_at'] = started(log).at + HOUR_MS;
});

lie('a stop that a recovery key signs is found', 'signature', log => {
  log.sign(stopped(log), { signer: started(log).authorization.public_key! });
});
