import { useHonestLog } from './lie.js';

const { lie, see } = useHonestLog();

see('the honest log makes each decision of a request once', () => undefined);

lie('a second post from one request is found', 'request_twice', log => {
  const posted = log.first('Posted', ({ authorization }) => authorization.mode === 'signature');
  log.insert(posted, { stream: 'post-999999999999' }, posted);
});

lie('a second application from one request with another cause is found', 'request_twice', log => {
  const applied = log.first('Applied', ({ authorization }) => authorization.mode === 'signature');
  log.insert(applied, { cause: `request/${'0'.repeat(32)}`, stream: `${applied.stream}x` }, applied);
});

lie('a second acceptance from one request in one stream is found', 'request_twice', log => {
  const accepted = log.first('Accepted', ({ authorization }) => authorization.mode === 'signature');
  log.insert(accepted, {}, accepted);
});
