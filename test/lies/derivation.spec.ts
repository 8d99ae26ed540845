import { deriveEventId } from '#libs/kernel/ids.js';
import { useHonestLog } from './lie.js';

const { lie } = useHonestLog();

const OTHER_ID = deriveEventId('another key', 'stream', 'type', 0);

lie('an applicant with an id that does not follow from its request is found', 'id', log => {
  log.first('Applied').id = OTHER_ID;
});

lie('a seat that was freed with another id is found', 'id', log => {
  log.first('SeatFreed').id = OTHER_ID;
});

lie('a claim with the id of another revision is found', 'id', log => {
  const claimed = log.first('Claimed');
  claimed.id = deriveEventId(claimed.cause, claimed.stream, claimed.type, claimed.revision + 1);
});

lie('a request with a cause of another form is found', 'cause', log => {
  for (const event of log.sameRequest(log.first('Posted'))) event.cause = 'request/chosen';
});

lie('a job that was closed because of an event of another type is found', 'cause', log => {
  const closed = log.first('JobClosed', ({ decided_by }) => decided_by.startsWith('close-forgotten'));
  closed.cause = log.first('Registered').id;
});

lie('a hire that ended because of an event that is not in the log is found', 'cause', log => {
  log.first('HireEnded', ({ decided_by }) => decided_by.startsWith('end-undelivered')).cause = OTHER_ID;
});

lie('a suspension that names no command of the operator is found', 'cause', log => {
  log.first('Suspended').cause = 'operator/suspend/again';
});
