import { Views, ViewsCounted } from '#libs/streams/views.js';
import { byActor, inStream, on, unless } from './rule.js';

export const VIEWS_RULES = [
  on(ViewsCounted, event => {
    const counts = Object.values(event.data.views);
    return unless(inStream(event, Views.named(event.at)), byActor(event, 'service', 'the service'), [
      counts.length > 0 && counts.every(count => count > 0),
      'It counts nothing.',
    ]);
  }),
];
