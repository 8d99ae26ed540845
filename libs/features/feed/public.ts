export { itemEntries } from './item-entries.js';
