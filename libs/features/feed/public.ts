export { itemEntries } from './item-entries.js';
export { authorOf, NonPostItems, postOf, replayedItem } from './feed-rules.js';
