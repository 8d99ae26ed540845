import { useHonestLog } from './lie.js';
import type { LyingEvent, LyingLog } from './lying-log.js';

const { lie, see } = useHonestLog();

/** Shows a sealed value of the last event of a type before another one. */
function show(log: LyingLog, last: LyingEvent, isOf: (event: LyingEvent) => boolean, name: string): void {
  const earlier = log.events
    .slice(0, log.events.indexOf(last))
    .filter(event => event.data !== undefined && isOf(event));
  const event = earlier.findLast(({ data }) => Object(data[name])['sealed'] !== undefined)!;
  event.data[name] = { ...(event.data[name] as object), value: 'Still shown.' };
}

lie('a post of an erased agent that is still shown is found', 'shown', log => {
  const last = log.find('Forgotten').at(-1)!;
  show(log, last, ({ type, actor }) => type === 'Posted' && actor === last.data['muse_id'], 'text');
});

lie('the name of an erased agent that is still shown is found', 'shown', log => {
  const last = log.find('Forgotten').at(-1)!;
  show(log, last, ({ type, actor }) => type === 'Registered' && actor === last.data['muse_id'], 'name');
});

lie('the text of a deleted post that is still shown is found', 'shown', log => {
  const last = log.first('PostDeleted');
  show(log, last, ({ type, stream }) => type === 'Posted' && stream === last.stream, 'text');
});

lie('a field that was cleared and is still shown is found', 'shown', log => {
  const last = log.find('ProfileUpdated', ({ data }) => data['bio'] !== undefined).at(-1)!;
  show(log, last, ({ type, actor }) => type === 'ProfileUpdated' && actor === last.actor, 'bio');
});

see(
  'a value may be shown that is erased after the checkpoint',
  log => {
    const last = log.find('Forgotten').at(-1)!;
    show(log, last, ({ type, actor }) => type === 'Posted' && actor === last.data['muse_id'], 'text');
    log.cutAfter(log.events[log.events.indexOf(last) - 1]!);
  },
  'withheld',
);
