import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

const signedBy = (log: LyingLog, type: string, where?: (event: LyingEvent) => boolean) =>
  log.first(type, event => event.authorization.mode === 'signature' && (where?.(event) ?? true));

const withhold = (type: string) => (log: LyingLog) => void log.hideRequest(signedBy(log, type));
lie('a post whose text is not deleted must show its signature', 'withheld', log => {
  const deleted = new Set(log.find('PostDeleted').map(({ data }) => data['post']));
  log.hideRequest(signedBy(log, 'Posted', ({ data }) => !deleted.has(data['post'])));
});
lie('a token must show its signature, although its agent cleared its profile', 'withheld', log => {
  const muse = clearing(log);
  log.hideRequest(signedBy(log, 'TokenIssued', ({ actor }) => actor === muse));
});

see('the signature of a request with a private field may be hidden', withhold('Applied'));
see('the signature of a registration may be hidden once its text is cleared', log => {
  const muse = clearing(log);
  log.hideRequest(signedBy(log, 'Registered', ({ actor }) => actor === muse));
});

/** An agent that clears its profile later. */
const clearing = (log: LyingLog) => log.first('Suspended').data['muse_id'];
