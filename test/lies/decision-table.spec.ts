import { useHonestLog } from './lie.js';
import type { LyingLog } from './lying-log.js';

const { lie } = useHonestLog();

const signed = (log: LyingLog, type: string) =>
  log.first(type, event => event.authorization.mode === 'signature' && log.holdsKeyOf(event));

lie('a decision of a command by a rule of a later build is found', 'unknown_rule', log => {
  log.first('Accepted').decided_by = 'accept@9';
});

lie('a fee whose effect is by an invented rule is found', 'unknown_rule', log => {
  log.first('Promoted').decided_by = 'promote-twice@1';
});

lie('a decision of the service by a rule of a later build is found', 'unknown_rule', log => {
  log.first('DeliveryRead').decided_by = 'read-delivery@3';
});

lie('an event in a stream of another kind is found under an unknown rule', 'decision', log => {
  const updated = signed(log, 'ProfileUpdated');
  log.insert(updated, { decided_by: 'later@1', stream: 'project-another', cause: 'request/another' }, updated);
});

lie('a settlement that an agent decides is found', 'decision', log => {
  const settled = log.first('PaymentSettled');
  settled.actor = log.first('Joined').actor;
});

lie('a settlement with the token of an agent is found', 'decision', log => {
  const { authorization } = log.first('Posted', event => event.authorization.mode === 'bearer');
  log.first('PaymentSubmitted').authorization = structuredClone(authorization);
});

const copyRequest = (log: LyingLog, type: string, from: string) => {
  log.first(type).authorization = structuredClone(signed(log, from).authorization);
};

lie('a hire that follows from a request for another endpoint is found', 'decision', log => {
  const hired = log.first('Hired', ({ authorization }) => authorization.mode === 'signature');
  hired.authorization = structuredClone(signed(log, 'JobPosted').authorization);
});

lie('a freed seat that follows from a request for another endpoint is found', 'decision', log =>
  copyRequest(log, 'SeatFreed', 'Accepted'),
);

lie('a link that follows from a request for another endpoint is found', 'decision', log =>
  copyRequest(log, 'EarlierLinked', 'Applied'),
);

lie('a key of the service that an agent adds is found', 'decision', log =>
  copyRequest(log, 'IssuerKeyAdded', 'JobPosted'),
);
