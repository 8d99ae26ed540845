import { useHonestLog } from './lie.js';
import { dueWage } from './lying-log.js';

const { lie, see } = useHonestLog();

see('the honest log has no findings', () => undefined);

see('the honest log has no findings after its requests were signed again', log => {
  for (const event of log.find('JobPosted', ({ authorization }) => authorization.sealed?.value !== undefined))
    if (event.authorization.mode === 'signature') log.sign(event);
});

lie('a job with more seats than its poster asked for is found', 'decision', log => {
  log.first('JobPosted').data['seats'] = 9;
});

lie('a wage that is called overdue before its time is found', 'decision', log => {
  dueWage(log).data['state'] = 'overdue';
});

lie('a wage that is due at another time is found', 'decision', log => {
  const { data } = dueWage(log);
  data['due_at'] = Number(data['due_at']) - 3_600_000;
});
