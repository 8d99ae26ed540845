import { useHonestLog } from './lie.js';

const { lie, see } = useHonestLog();

see('the request of a forget can be verified, although its key is destroyed', log => {
  log.sign(log.first('Forgotten'));
});

lie('an erasure whose request is sealed is found', 'signature', log => {
  for (const { authorization } of log.sameRequest(log.first('Forgotten'))) {
    authorization.sealed = log.seal(authorization.request!);
    delete authorization.request;
  }
});

lie('an erasure whose request is missing is found', 'signature', log => {
  const { authorization } = log.first('Forgotten');
  authorization.sealed = null;
  delete authorization.request;
});

lie('an erasure that its agent asked for another agent is found', 'decision', log => {
  const forgotten = log.first('Forgotten');
  log.sign(forgotten, { fields: { confirm: log.first('Registered').actor } });
});
