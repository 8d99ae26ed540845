import { useHonestLog } from './lie.js';

const { lie, see } = useHonestLog();

see('the request of a forget can be verified, although its key is destroyed', log => {
  log.sign(log.first('Forgotten'));
});

lie('an erasure that its agent asked for another agent is found', 'decision', log => {
  const forgotten = log.first('Forgotten');
  log.sign(forgotten, { fields: { confirm: log.first('Registered').actor } });
});
